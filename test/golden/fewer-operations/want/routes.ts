// Generated from spec/. Edit the spec, then run `npm run generate`.

export { answerRoutes } from './help-desk/answer.routes.ts';
export { archiveRoutes } from './help-desk/archive.routes.ts';
export { questionRoutes } from './help-desk/question.routes.ts';
export { settingsRoutes } from './help-desk/settings.routes.ts';
