import { contentOf, type Operator, operators } from '../../runtime/schema/query.ts';
import { zodTypeOf } from '../field-types.ts';
import { type ListKey, listKeys } from '../language.ts';
import type { Field, Resource } from '../model.ts';
import { breaking, type Difference, safe } from './change.ts';
import { fieldRules } from './field-rules.ts';
import { code } from './markdown.ts';
import { type Pair, pairFields } from './pairs.ts';

/** What a field that a list gains or loses means for requests and for the database. */
interface Words {
  readonly removed: (name: string) => string;
  readonly added: (name: string) => string;
}

/**
 * Seconds that the next start or `npm run migrate` works for each million rows, roughly: on two cores and a local disk, for
 * records of some 40 fields.
 */
const secondsPerMillionRows = 5;

const building = `The index is built from all rows, which takes about ${secondsPerMillionRows} seconds for each million of them, and a create has one more to write.`;

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
};

/** The rules about the values of a field: those of a filter are refused where the field does not take them. */
const valueKeys = ['type', 'format', 'enum', 'pattern', 'min_length', 'max_length', 'min', 'max'] as const;

/** Whether a filter refuses something that it took. */
function isNarrowed(before: Field, after: Field, resource: Resource): boolean {
  const [was, is] = [before, after].map((field): readonly Operator[] => operators[contentOf(zodTypeOf(field))]);
  const differences = valueKeys.flatMap((key) => fieldRules[key](before, after, resource));
  return (
    was?.some((operator) => !is?.includes(operator)) === true ||
    differences.some(({ breaks }) => breaks.includes('creators') || breaks.includes('updaters'))
  );
}

/** Compares the fields that a list can be filtered and sorted by. */
export function compareLists(before: Resource, after: Resource): Difference[] {
  const { pairs } = pairFields(before, after);
  const pairOf = (name: string): Pair<Field> | undefined => pairs.find((pair) => pair.before.name === name);
  const nameNow = (name: string): string => pairOf(name)?.after.name ?? name;
  return listKeys.flatMap((key) => {
    const [was, is] = [before.list[key], after.list[key]];
    const isNew = (name: string): boolean => !was.some((former) => nameNow(former) === name);
    const compareName = (name: string): Difference[] => {
      const [at, now, pair] = [`list/${key}/${name}`, nameNow(name), pairOf(name)];
      if (!is.includes(now)) return [breaking(`${at}/removed`, ['callers'], words[key].removed(code(name)))];
      if (now !== name) {
        const message = `The list is ${key === 'filter' ? 'filtered' : 'sorted'} by ${code(now)} instead of ${code(name)}, which is refused with 400.`;
        return [breaking(`${at}/renamed`, ['callers'], message)];
      }
      if (key !== 'filter' || !pair || !isNarrowed(pair.before, pair.after, after)) return [];
      const message = `Filters by ${code(name)} take less: values and forms that the field no longer has are refused with 400.`;
      return [breaking(`${at}/changed`, ['callers'], message)];
    };
    return [
      ...was.flatMap(compareName),
      ...is.filter(isNew).map((name) => safe(`list/${key}/${name}/added`, words[key].added(code(name)))),
    ];
  });
}
