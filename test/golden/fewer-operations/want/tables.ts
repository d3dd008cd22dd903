// Generated from spec/. Edit the spec, then run `npm run generate`.

export { answerTable } from './help-desk/answer.schema.ts';
export { archiveTable } from './help-desk/archive.schema.ts';
export { questionTable } from './help-desk/question.schema.ts';
export { settingsTable } from './help-desk/settings.schema.ts';
