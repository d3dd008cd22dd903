import { type Format, formats } from '../../runtime/kernel/model/formats.ts';
import { didYouMean } from '../../runtime/kernel/model/suggest.ts';
import { fieldTypeNames } from '../model/language.ts';
import { kebabCaseOf, separated } from '../model/names.ts';
import { pathInSpec, specFile } from '../read/paths.ts';
import { oddCharacters, oneOfWords } from '../read/words.ts';
import { foreignWordHint, plain, typeMeant } from './foreign-words.ts';

/** More names take too long to compare, if many are wrong. */
const maxKnown = 1_000;

/** `; did you mean "x"?`, with the letters that only look right; empty where no known name is near. */
export function nearName(name: string, names: readonly string[]): string {
  const odd = oddCharacters(name);
  if (name.length > 100 || names.length > maxKnown) return odd;
  // An edit changes the length by one at most.
  const near = names.filter((other) => Math.abs(other.length - name.length) <= 2);
  const hint = didYouMean(name, near);
  if (hint !== '') return odd + hint;
  const same = names.find((other) => plain(other) === plain(name));
  return same === undefined ? odd : `${odd}; did you mean ${JSON.stringify(same)}?`;
}

/** As `nearName`, of a field: a record that was archived has `archived_at`. */
export function nearField(name: string, names: readonly string[]): string {
  const near = nearName(name, names);
  if (near !== '' || !/^(?:is_?)?(?:archived|deleted)(?:_?at)?$/.test(name)) return near;
  return names.includes('archived_at')
    ? '; that of archive: true is archived_at, which is null until then'
    : '; archive: true, a key of the resource, gives records archived_at';
}

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

/** The key that the author of a file probably meant: `crm/sales-stage` for `spec/crm/salesStage.YML`. */
const meantKey = (path: string): string =>
  pathInSpec(path)
    .replace(/\.ya?ml$/i, '')
    .split('/')
    .map((part) => kebabCaseOf(separated(part)))
    .join('/');

/** The path to rename a file to, from what its path seems to mean. */
export function pathHint(path: string): string {
  const odd = oddCharacters(path, true);
  if (odd !== '') return odd;
  const better = meantKey(path);
  if (!/^[^/]+\/[^/]+$/.test(better)) return '';
  return /(?:^|\/)\d/.test(pathInSpec(path)) ? '; both must begin with a letter' : `; rename it to ${specFile(better)}`;
}
