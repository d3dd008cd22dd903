// Generated from spec/. Edit the spec, then run `npm run generate`.

export { filmTable } from './files/film.schema.ts';
export { noteTable } from './files/note.schema.ts';
export { pageTable } from './files/page.schema.ts';
export { photoTable } from './files/photo.schema.ts';
