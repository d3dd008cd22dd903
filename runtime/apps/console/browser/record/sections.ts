import type { Field } from '../model.ts';
import { titleOf } from '../text.ts';
import { texts } from '../texts.ts';

/** Fields that are shown together, under a heading. */
export interface Section {
  readonly title: string;
  readonly fields: readonly Field[];
}

/** As many fields in a row whose names begin with the same word are a section of their own. */
const minPrefixed = 3;
/** As many booleans are gathered at the end. */
const minBooleans = 3;
/** So many fields need no headings. */
export const maxUndivided = 9;

const firstWord = (name: string): string => name.split('_', 1)[0] as string;

/** The runs of fields that stand in a row and share the first word of their names, long enough for a section. */
function prefixedRuns(fields: readonly Field[]): readonly (readonly Field[])[] {
  const runs: Field[][] = [];
  for (const field of fields) {
    const run = runs.at(-1);
    if (run?.[0] && firstWord(run[0].name) === firstWord(field.name)) run.push(field);
    else runs.push([field]);
  }
  return runs.filter(({ length }) => length >= minPrefixed);
}

/**
 * The sections of a form: first what must be given and what lists show, then the others in the order of the spec; those
 * that belong together by their names, and many booleans, behind them.
 *
 * @param columns the names of the fields that lists show
 */
export function sectionsOf(fields: readonly Field[], columns: readonly string[]): readonly Section[] {
  if (fields.length <= maxUndivided) return fields.length > 0 ? [{ title: texts.record.fields, fields }] : [];
  const isMain = ({ name, required }: Field): boolean => required || columns.includes(name);
  const rest = fields.filter((field) => !isMain(field));
  const booleans = rest.filter(({ type }) => type === 'boolean');
  const options = booleans.length >= minBooleans ? booleans : [];
  const runs = prefixedRuns(rest.filter((field) => !options.includes(field)));
  const apart = new Set([...options, ...runs.flat()]);
  const main = fields.filter(isMain).toSorted((a, b) => Number(b.required) - Number(a.required));
  return [
    { title: texts.record.main, fields: main },
    { title: texts.record.details, fields: rest.filter((field) => !apart.has(field)) },
    ...runs.map((run) => ({ title: titleOf(firstWord((run[0] as Field).name)), fields: run })),
    { title: texts.record.options, fields: options },
  ].filter((section) => section.fields.length > 0);
}
