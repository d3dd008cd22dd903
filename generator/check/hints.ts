import { didYouMean } from '../../runtime/model/suggest.ts';
import { oddCharacters } from '../read/words.ts';

/** The comparisons of names that all hints of a run may take: some tens of milliseconds. */
const maxComparisons = 100_000;

/** A name as it would be without capitals and separators. */
const plain = (name: string): string => name.replaceAll(/[-_ ]/g, '').toLowerCase();

/** Suggests names that are near to a wrong one. A spec with so many errors that this takes long gets no more hints. */
export class Hints {
  #left = maxComparisons;

  /** `; did you mean "x"?`, with the letters that only look right; empty where nothing is near. */
  didYouMean(name: string, known: readonly string[]): string {
    const odd = oddCharacters(name);
    this.#left -= known.length;
    if (this.#left < 0 || name.length > 100) return odd;
    // An edit changes the length by one at most.
    const near = known.filter((other) => Math.abs(other.length - name.length) <= 2);
    const hint = didYouMean(name, near);
    if (hint !== '') return odd + hint;
    const same = known.find((other) => plain(other) === plain(name));
    return same === undefined ? odd : `${odd}; did you mean ${JSON.stringify(same)}?`;
  }
}
