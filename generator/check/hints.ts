import { didYouMean } from '../../runtime/model/suggest.ts';
import { oddCharacters } from '../read/words.ts';
import { plain } from './foreign-words.ts';

/** More names take too long to compare, if many are wrong. */
const maxKnown = 1_000;

/** `; did you mean "x"?`, with the letters that only look right; empty where no known name is near. */
export function nearName(name: string, known: readonly string[]): string {
  const odd = oddCharacters(name);
  if (name.length > 100 || known.length > maxKnown) return odd;
  // An edit changes the length by one at most.
  const near = known.filter((other) => Math.abs(other.length - name.length) <= 2);
  const hint = didYouMean(name, near);
  if (hint !== '') return odd + hint;
  const same = known.find((other) => plain(other) === plain(name));
  return same === undefined ? odd : `${odd}; did you mean ${JSON.stringify(same)}?`;
}
