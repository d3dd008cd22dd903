import type { Parameters } from '../../kernel/api/parameters.ts';
import type { ReadParameters } from '../../kernel/api/service.ts';
import type { Table } from '../../kernel/model/table.ts';
import type { Page } from '../../kernel/records/page.ts';
import { maxSearchLength, maxSearchWords } from './limits.ts';
import { searchedWords } from './words.ts';

/** `q`: the words that lists are searched for. */
export const searchParameters: ReadParameters = {
  namesOf: ({ list }) => (list.search.length > 0 ? ['q'] : []),
  read: readSearch,
};

/** Reads the words that lists are searched for. */
function readSearch(parameters: Parameters, { list }: Table): Pick<Page, 'search'> | undefined {
  const text = list.search.length > 0 ? parameters.text('q') : undefined;
  if (text === undefined) return undefined;
  const length = [...text].length;
  if (length < 1 || length > maxSearchLength) {
    return parameters.fail('q', () => `must be 1 to ${maxSearchLength} characters long`);
  }
  const words = searchedWords(text);
  if (words.length === 0) return parameters.fail('q', () => 'has no word: no letter and no digit');
  if (words.length > maxSearchWords) return parameters.fail('q', () => `must have at most ${maxSearchWords} words`);
  return { search: words.flat() };
}
