// Generated from spec/. Edit the spec, then run `npm run generate`.

export { filmRoutes } from './files/film.routes.ts';
export { noteRoutes } from './files/note.routes.ts';
export { pageRoutes } from './files/page.routes.ts';
export { photoRoutes } from './files/photo.routes.ts';
