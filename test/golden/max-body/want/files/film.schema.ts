// Generated from spec/files/film.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, field, query, record, updatable } from '../../runtime/index.ts';

/** Moving pictures. */
export const Film = z.strictObject({
  id: field.id(),
  data: field.text({ max: 10485760 }),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type Film = z.infer<typeof Film>;

export const FilmCreate = creatable(Film);
export const FilmUpdate = updatable(Film);
export const FilmQuery = query(Film);
export const filmTable = record('film', Film, {
  path: 'files/film',
  maxBody: 16 * 1024 * 1024,
  list: FilmQuery,
});
