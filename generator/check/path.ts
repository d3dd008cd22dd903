import { kebabCaseOf, separated } from '../model/names.ts';
import { pathInSpec, specFile } from '../read/paths.ts';
import { oddCharacters } from '../read/words.ts';

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
