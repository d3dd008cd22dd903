import type { ListFields } from '../../runtime/schema/table.ts';
import { type ListKey, listKeys } from '../language.ts';
import { breaking, type Difference, safe } from './change.ts';
import { code } from './markdown.ts';

/** What a field that a list gains means for requests and for the database. */
interface Words {
  readonly removed: (name: string) => string;
  readonly added: (name: string) => string;
}

/**
 * Seconds that the next start or `npm run migrate` works for each million rows, roughly: on two cores and a local disk, for
 * records of some 40 fields.
 */
const secondsPerMillionRows = { index: 5, search: 120 } as const;

const building = `The index is built from all rows, which takes about ${secondsPerMillionRows.index} seconds for each million of them, and a create has one more to write.`;

const words: Readonly<Record<ListKey, Words>> = {
  filter: {
    removed: (name) =>
      `The list can no longer be filtered by ${name}: a request with that parameter is refused with 400.`,
    added: (name) => `The list can be filtered by ${name}. ${building}`,
  },
  sort: {
    removed: (name) => `The list can no longer be sorted by ${name}: a request for that order is refused with 400.`,
    added: (name) => `The list can be sorted by ${name}. ${building}`,
  },
  search: {
    removed: (name) => `The search no longer finds words of ${name}.`,
    added: (name) =>
      `The search finds words of ${name}. The full-text index is built from all rows, which takes about ` +
      `${secondsPerMillionRows.search} seconds for each million of them.`,
  },
};

/** Compares the fields that a list can be filtered, sorted and searched by; `nameNow` is the current name of a field. */
export function compareLists(before: ListFields, after: ListFields, nameNow: (name: string) => string): Difference[] {
  return listKeys.flatMap((key) => {
    const was = before[key];
    const is = after[key];
    const isNew = (name: string): boolean => !was.some((former) => nameNow(former) === name);
    const lost = key === 'search' && is.length === 0 ? ' `q` is refused with 400.' : '';
    return [
      ...was.flatMap((name) => {
        const at = `list/${key}/${name}`;
        const now = nameNow(name);
        if (!is.includes(now)) return [breaking(`${at}/removed`, ['callers'], words[key].removed(code(name)) + lost)];
        if (now === name || key === 'search') return [];
        const message = `The list is ${key === 'filter' ? 'filtered' : 'sorted'} by ${code(now)} instead of ${code(name)}, which is refused with 400.`;
        return [breaking(`${at}/renamed`, ['callers'], message)];
      }),
      ...is.filter(isNew).map((name) => safe(`list/${key}/${name}/added`, words[key].added(code(name)))),
    ];
  });
}
