import { maxTextLength } from '../../runtime/kernel/model/limits.ts';
import { valueAt } from '../../runtime/kernel/model/validate.ts';
import type { Kind } from '../../runtime/kernel/model/operations.ts';
import { isLong } from '../model/columns.ts';
import { fieldTypeRow } from '../model/field-types.ts';
import { type CountKey, countKeys, countParameters, kindFields, type WrittenList } from '../model/language.ts';
import { type Field, type FieldType, referencesOf } from '../model/model.ts';
import { withArticle } from '../model/names.ts';
import { namedField } from './field.ts';
import type { CheckedFile } from './structure.ts';

/** The types that records are counted by or summed over; values of others hardly ever are the same in two records. */
const typesFor: Readonly<Record<CountKey, { readonly types: ReadonlySet<FieldType['type']>; readonly words: string }>> =
  {
    count: {
      types: new Set(['text', 'enum', 'reference', 'date', 'time', 'uuid', 'email', 'uri', 'integer', 'boolean']),
      words: 'records are counted by strings, integers, booleans, dates and references',
    },
    sum: { types: new Set(['integer', 'number', 'decimal']), words: 'only numbers are summed' },
  };

/** Checks what the spec says about the counts and sums of a list. */
export function checkCounts(
  file: CheckedFile,
  kind: Kind,
  fields: readonly Field[],
  written: NonNullable<WrittenList>,
): void {
  const { count = [], sum = [], filter = [] } = written;
  if (count.length + sum.length === 0) return;
  for (const key of countKeys) {
    const names = written[key] ?? [];
    file.checkRepeats(['list', key], names);
    for (const [at, name] of names.entries()) {
      const path = ['list', key, at];
      const why = kindFields[kind].includes(name)
        ? `${name} is set by the service: no spec names it here`
        : whyNot(file, key, namedField(file, fields, name, path), count);
      if (why !== undefined) file.atValue(path, `${key}: ${why}`);
    }
  }
  const filtered = new Set([...filter, ...referencesOf({ fields }).map(({ name }) => name)]);
  for (const name of countParameters.filter((one) => filtered.has(one))) {
    const why = 'counts have a parameter of that name';
    file.atKey(['fields', name], `a list that is counted cannot be filtered by ${name}: ${why}`);
  }
}

/** Why a field cannot be named; undefined where it can. */
function whyNot(
  { spec: { data } }: CheckedFile,
  key: CountKey,
  field: Field | undefined,
  counted: readonly string[],
): string | undefined {
  if (!field) return undefined;
  const { name } = field;
  const { types, words } = typesFor[key];
  if (!types.has(field.type)) return `${name} is ${withArticle(fieldTypeRow(field).noun)}, and ${words}`;
  if (isLong(field)) return `${name} can be longer than ${maxTextLength} characters: records are not counted by it`;
  if (name === 'count') return 'responses have the number of records under this name';
  if (key === 'sum' && counted.includes(name))
    return `records are counted by ${name} already, which responses show once`;
  const isHere = valueAt(data, ['parent', 'resource']) !== undefined;
  if (isHere && name === valueAt(data, ['parent', 'field'])) {
    return `${name} is the same in a whole list: the parents are a list of their own`;
  }
  return undefined;
}
