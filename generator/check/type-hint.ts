import { type Format, formats } from '../../runtime/model/formats.ts';
import { fieldTypeNames } from '../model/language.ts';
import { oneOfWords } from '../read/words.ts';
import { foreignWordHint, typeMeant } from './foreign-words.ts';
import { nearName } from './hints.ts';

/**
 * A suggestion for an unknown type, to follow it.
 *
 * @param isShort whether the type stands for the whole field, as in `age: int`
 */
export function typeHint(type: unknown, isShort: boolean): string {
  if (typeof type === 'string') {
    const name = type.toLowerCase();
    const meant = typeMeant(name) ?? (Object.hasOwn(formats, name) ? (name as Format) : undefined);
    if (meant === 'string' || name === 'string') return '; leave it out, for a field is a string by default';
    if (meant !== undefined && Object.hasOwn(formats, meant)) {
      return `; it is a format: write ${isShort ? `{ format: ${meant} }` : `format: ${meant} instead of the type`}`;
    }
    if (meant !== undefined) return `; did you mean "${meant}"?`;
    if (name === 'enum') return '; leave it out, and write the values as enum: [a, b]';
    const word = /^[a-z0-9-]+\/[a-z0-9-]+$/.test(name) ? 'reference' : name.endsWith('[]') ? 'array' : name;
    const foreign = foreignWordHint(word);
    if (foreign !== undefined) return foreign;
    const hint = nearName(type, fieldTypeNames);
    if (hint.endsWith('"string"?')) return `${hint} It is the default: leave it out`;
    if (hint.endsWith('?')) return hint;
  }
  return `; it must be ${oneOfWords(fieldTypeNames)}`;
}
