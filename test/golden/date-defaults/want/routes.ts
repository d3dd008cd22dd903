// Generated from spec/. Edit the spec, then run `npm run generate`.

export { taskRoutes } from './crm/task.routes.ts';
