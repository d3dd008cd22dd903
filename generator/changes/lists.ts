import { contentOf, type Operator, operators } from '../../runtime/kernel/model/query.ts';
import { filterTypeOf, zodTypeOf } from '../model/field-types.ts';
import { type ListKey, listKeys, maxIndexed } from '../model/language.ts';
import type { Field, Resource } from '../model/model.ts';
import { breaking, type Difference, documented, safe } from './change.ts';
import { code } from './markdown.ts';
import { type Pair, pairFields } from './pairs.ts';

/** How a list that gains or loses a field affects requests and the database. */
type Words = Readonly<Record<'removed' | 'added', (name: string) => string>>;

/**
 * Seconds that the next start or `npm run migrate` works for each million rows, roughly: CPU time on an AMD EPYC, of SQLite and of
 * PostgreSQL, for records of some 40 fields. An index takes 1 and 2, a full-text index of 40 words 50 and 120, of 6 words 25
 * and 40.
 */
export const secondsPerMillionRows = { index: 2, search: 120 } as const;

const building =
  `Each new index is built from all rows, which takes about ${secondsPerMillionRows.index} seconds for each million of them, ` +
  'and each create writes to it.';

/** The check that the start does before it builds the indexes of a field, to follow a sentence. */
function looking(field: Field | undefined): string {
  if (field?.type !== 'text' || (field.maxLength ?? Infinity) <= maxIndexed) return '';
  const advice = field.maxLength === undefined ? ' Give the field a `max_length`.' : '';
  return (
    ' On PostgreSQL, an index holds texts of about 2,700 bytes: the start looks first whether a row has a longer one, and ' +
    `is refused then; a longer one that is sent later fails with 413.${advice}`
  );
}

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

const documentedColumns = documented('list/columns', 'The order or choice of columns');

/** Compares the fields that a list can be filtered, sorted and searched by, and those that it shows. */
export function compareLists(before: Resource, after: Resource): Difference[] {
  const { pairs } = pairFields(before, after);
  const pairOf = (name: string): Pair<Field> | undefined => pairs.find((pair) => pair.before.name === name);
  const nameNow = (name: string): string => pairOf(name)?.after.name ?? name;
  const isNewIn = (key: ListKey, name: string): boolean =>
    after.list[key].includes(name) && !before.list[key].some((former) => nameNow(former) === name);
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
          const field = key === 'search' ? undefined : after.fields.find((candidate) => candidate.name === name);
          return safe(`list/${key}/${name}/added`, words[key].added(code(name)) + looking(field));
        }),
    ];
  });
  const was = new Set(before.list.ignoreCase?.map(nameNow));
  const isNow = new Set(after.list.ignoreCase);
  const orders = after.list.sort
    .filter((name) => !isNewIn('sort', name) && was.has(name) !== isNow.has(name))
    .map((name) => {
      const how = isNow.has(name) ? 'without regard to' : 'with regard to';
      const message = `The order by ${code(name)} is ${how} case and accents: pages have other records. ${building}`;
      return safe(`list/sort/${name}/ignore_case`, message);
    });
  return [...differences, ...orders, ...columns];
}
