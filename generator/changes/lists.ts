import { contentOf, type Operator, operators } from '../../runtime/model/query.ts';
import { indexes } from '../../runtime/sql/schema.ts';
import { filterTypeOf, zodTypeOf } from '../model/field-types.ts';
import { type ListKey, listKeys } from '../model/language.ts';
import type { Field, Resource } from '../model/model.ts';
import { tableOf } from '../emit/shape.ts';
import { breaking, type Difference, documented, safe } from './change.ts';
import { code } from './markdown.ts';
import { type Pair, pairFields } from './pairs.ts';

/** How a list that gains or loses a field affects requests and the database. */
interface Words {
  readonly removed: (name: string) => string;
  /** @param gained how many indexes the database gains */
  readonly added: (name: string, gained: number) => string;
}

/**
 * Seconds that the next start or `npm run migrate` works for each million rows, roughly: CPU time on an AMD EPYC, of SQLite and of
 * PostgreSQL, for records of some 40 fields. An index takes 1 and 2, a full-text index of 40 words 50 and 120, of 6 words 25
 * and 40.
 */
export const secondsPerMillionRows = { index: 2, search: 120 } as const;

/** The cost of new indexes, to follow a sentence; empty if there are none. */
const building = (gained: number): string =>
  gained === 0
    ? ''
    : ` ${gained === 1 ? 'The index is' : 'The indexes, one for each direction, are'} built from all rows, which takes about ` +
      `${gained * secondsPerMillionRows.index} seconds for each million of them, and a create has ${gained} more to write.`;

/** Characters of a text that every index holds: PostgreSQL's about 2,700 bytes. */
const maxIndexed = 650;

/** The check that the start does before it builds the indexes of a field, to follow a sentence. */
function looking(field: Field | undefined, gained: number): string {
  if (gained === 0 || field?.type !== 'text' || (field.maxLength ?? Infinity) <= maxIndexed) return '';
  const advice = field.maxLength === undefined ? ' Give the field a `max_length`.' : '';
  return (
    ' On PostgreSQL, an index holds texts of about 2,700 bytes: the start looks first whether a row has a longer one, and ' +
    `is refused then; a longer one that is sent later is answered 413.${advice}`
  );
}

const words: Readonly<Record<ListKey, Words>> = {
  filter: {
    removed: (name) =>
      `The list can no longer be filtered by ${name}: a request with that parameter is refused with 400.`,
    added: (name, gained) => `The list can be filtered by ${name}.${building(gained)}`,
  },
  sort: {
    removed: (name) => `The list can no longer be sorted by ${name}: a request for that order is refused with 400.`,
    added: (name, gained) => `The list can be sorted by ${name}.${building(gained)}`,
  },
  search: {
    removed: (name) => `The search no longer finds words of ${name}.`,
    added: (name) =>
      `The search finds words of ${name}. The full-text index is built from all rows, which takes up to ` +
      `${secondsPerMillionRows.search} seconds for each million of them.`,
  },
};

/** Whether a filter refuses something that it took. Limits of a field do not limit its filters. */
function isNarrowed(before: Field, after: Field): boolean {
  const [was, is] = [before, after].map((field): readonly Operator[] => operators[contentOf(zodTypeOf(field))]);
  const [old, now] = [filterTypeOf(before).type, filterTypeOf(after).type];
  const isWider = now === 'text' || (old === 'integer' && now === 'number');
  return (old !== now && !isWider) || was?.some((operator) => !is?.includes(operator)) === true;
}

/** The indexes for the filters of a field and the orders by it. */
const indexesOf = (resource: Resource, field: string): number =>
  indexes(tableOf(resource)).filter(({ columns, order }) => order !== undefined && columns[1] === field).length;

const documentedColumns = documented('list/columns', 'The order or choice of columns');

/** Compares the fields that a list can be filtered, sorted and searched by, and those that it shows. */
export function compareLists(before: Resource, after: Resource): Difference[] {
  const { pairs } = pairFields(before, after);
  const pairOf = (name: string): Pair<Field> | undefined => pairs.find((pair) => pair.before.name === name);
  const nameNow = (name: string): string => pairOf(name)?.after.name ?? name;
  const isNewIn = (key: ListKey, name: string): boolean =>
    after.list[key].includes(name) && !before.list[key].some((former) => nameNow(former) === name);
  // The index of a field's filters is also that of its descending order.
  const gainedIndexes = (key: ListKey, name: string): number => {
    const former = pairs.find((pair) => pair.after.name === name)?.before.name ?? name;
    const gained = Math.max(0, indexesOf(after, name) - indexesOf(before, former));
    const ofFilter = isNewIn('filter', name) ? Math.min(1, gained) : 0;
    return key === 'filter' ? ofFilter : gained - ofFilter;
  };
  const columns = before.list.columns.map(nameNow).join() === after.list.columns.join() ? [] : [documentedColumns];
  const differences = listKeys.flatMap((key) => {
    const [was, is] = [before.list[key], after.list[key]];
    const refused = key === 'search' && is.length === 0 ? ' The parameter `q` is refused with 400.' : '';
    const compareName = (name: string): Difference[] => {
      const [at, now, pair] = [`list/${key}/${name}`, nameNow(name), pairOf(name)];
      if (!is.includes(now)) return [breaking(`${at}/removed`, ['callers'], words[key].removed(code(name)) + refused)];
      if (now !== name && key !== 'search') {
        const message = `The list is ${key === 'filter' ? 'filtered' : 'sorted'} by ${code(now)} instead of ${code(name)}, which is refused with 400.`;
        return [breaking(`${at}/renamed`, ['callers'], message)];
      }
      if (key !== 'filter' || !pair || !isNarrowed(pair.before, pair.after)) return [];
      const message = `Filters by ${code(name)} take less: values and forms that its type does not have are refused with 400.`;
      return [breaking(`${at}/changed`, ['callers'], message)];
    };
    return [
      ...was.flatMap(compareName),
      ...is
        .filter((name) => isNewIn(key, name))
        .map((name) => {
          const gained = gainedIndexes(key, name);
          const field = after.fields.find((one) => one.name === name);
          return safe(`list/${key}/${name}/added`, words[key].added(code(name), gained) + looking(field, gained));
        }),
    ];
  });
  return [...differences, ...columns];
}
