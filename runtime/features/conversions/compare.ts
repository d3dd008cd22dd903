import { maxNamed } from '../../kernel/model/limits.ts';
import type { Column, Table } from '../../kernel/model/table.ts';
import { quote } from '../../kernel/sql/schema.ts';
import { uniqueKeys } from '../unique/columns.ts';
import { isList, shortName, type StoredType } from '../../kernel/sql/values.ts';
import type { MigrationPart } from '../../migrations/part.ts';
import { command } from '../../migrations/requests.ts';
import { inEachRow } from '../../migrations/rewrites.ts';
import { looksAt } from '../../migrations/looks.ts';
import type { Comparison, ConversionStep, Derivation, Effect, RowCheck } from '../../migrations/types.ts';
import { allOf, named, NamedRows } from '../../migrations/checks.ts';
import { readValue, slicesOf } from '../../migrations/slices.ts';
import { duplicates } from '../unique/compare.ts';
import { brokenDecimalRule, maxDigits } from '../../kernel/model/decimals.ts';
import type { ColumnType, Value } from '../../kernel/model/fields.ts';
import { withScale } from '../../kernel/values/decimal.ts';
import { columnDefinition, type SchemaDialect } from '../../migrations/definitions.ts';

/** A value in a type that is no decimal; null if it is no value of that type. */
function plain(value: Value, type: ColumnType): Value {
  if (type === 'text') return String(value);
  if (type === 'boolean')
    return value === 'true' || value === 1 ? true : value === 'false' || value === 0 ? false : null;
  const number = Number(value);
  return (type === 'bigint' ? Number.isSafeInteger(number) : Number.isFinite(number)) ? number : null;
}

/** A decimal without the zeros at its end. */
const shortest = (decimal: string): string => (decimal.includes('.') ? decimal.replace(/\.?0+$/, '') : decimal);

function toDecimal(value: Value, from: ColumnType, scale: number): Value {
  const text = from === 'decimal' ? shortest(String(value)) : String(value);
  return brokenDecimalRule(text, { digits: maxDigits, scale }) ? null : withScale(text, scale);
}

/** The value of a record in another type; null if a conversion back would not return it, or of a text and a decimal an equal one. */
export function converted(value: Value, from: StoredType, to: StoredType): Value {
  if (value === null || isList(from) || isList(to)) return null;
  if (to.type === 'decimal') return toDecimal(value, from.type, to.scale ?? 0);
  const result = plain(value, to.type);
  if (result === null || from.type === to.type) return result;
  if (from.type === 'decimal') return shortest(String(result)) === shortest(String(value)) ? result : null;
  return plain(result, from.type) === value ? result : null;
}

/** The step that changes the type of a column, if that is requested, or changes only a scale. */
function convertColumn(comparison: Comparison, name: string, column: Column): ConversionStep | string | undefined {
  const { table, columns, dialect, convert } = comparison;
  const from = dialect.values.typeOf(columns.get(name) ?? '');
  if (from?.type === column.type) return conversion(comparison, column, name, from, 'incompatible');
  const request = `${table.name}.${column.name}`;
  if (from && convert.includes(request)) return conversion(comparison, column, name, from, 'destructive');
  return from && `convert its values with ${command('convert', request)}, `;
}

/** The step that puts a column with the converted values in the place of another one, and drops the unique indexes of that. */
function conversion(
  comparison: Comparison,
  column: Column,
  name: string,
  from: StoredType,
  effect: Effect,
): ConversionStep {
  const { table, actual, dialect } = comparison;
  const next = shortName(`_${column.name}`, '_converted');
  const alter = `alter table ${quote(table.name)}`;
  const keys = uniqueKeys(table).filter(({ fields }) => fields.includes(column.name));
  const dropped = keys.flatMap((key) => [key.name, key.otherName]).filter((index) => actual.indexes.has(index));
  // Folded texts are compared later.
  const checked = keys.filter((key) => key.columns.slice(1).join() === key.fields.join());
  // By then, tables and columns have their new names.
  const survives = survivesConversion({ ...comparison, actualName: table.name }, column, column.name, from);
  const areUnique = checked.map((key) =>
    duplicates(
      table.name,
      key,
      key.columns.map((one) => quote(one === column.name ? next : one)),
    ),
  );
  return {
    kind: 'conversion',
    effect,
    need: 'server',
    column: `${table.name}.${column.name}`,
    check: survivesConversion(comparison, column, name, from),
    rewrite: conversionOf(table, column, next, from),
    lateCheck: allOf([survives, ...areUnique]),
    statements: [
      `${alter} add column ${columnDefinition({ ...column, name: next }, dialect)}`,
      ...dropped.map((index) => `drop index if exists ${quote(index)}`),
      `${alter} drop column ${quote(column.name)}`,
      `${alter} rename column ${quote(next)} to ${quote(column.name)}`,
    ],
  };
}

const conversionOf = (table: Table, column: Column, name: string, from: StoredType): Derivation => ({
  table,
  description: inEachRow(table, 'values', [column.name], 'converted'),
  columns: ({ values }) => [
    {
      name,
      type: values.type(column),
      fields: [],
      sources: [values.shown(from, quote(column.name))],
      valueOf: ([value]) => converted(readValue(value, from), from, column),
      literalOf: (value) => values.literal(column, value),
    },
  ],
});

/** The check that all values of a column survive a conversion. */
const survivesConversion =
  ({ table, actualName, dialect }: Comparison, column: Column, name: string, from: StoredType): RowCheck =>
  async (database) => {
    const { values } = dialect;
    const ids: string[] = [];
    let count = 0;
    for await (const rows of slicesOf(database, actualName, [values.shown(from, quote(name))])) {
      for (const [, id, value] of rows) {
        if (value === null || converted(readValue(value, from), from, column) !== null) continue;
        if (count++ < maxNamed) ids.push(String(id));
      }
    }
    if (count === 0) return [];
    const what = `Column ${quote(column.name)} of table ${quote(table.name)}`;
    return [
      from.type === column.type
        ? `${what} has values with more than ${column.scale} decimals, or too long: ${named(ids, count)}.`
        : `${what} stays ${values.type(from)}: ${count} of its values would not survive a conversion to ` +
          `${values.type(column)} and back: ${named(ids, count)}.`,
    ];
  };

/** The part of a field's type that the type of its column does not tell, so that only the rows do: a scale, the type of a list's values. */
const hiddenPart = ({ values }: SchemaDialect, column: Column): string | number | undefined =>
  values.typeOf(values.type(column))?.scale === undefined ? (column.scale ?? column.itemType) : undefined;

/** A query for each reads the rows. */
const hiddenParts = looksAt(
  ({ name: table }, column, dialect) => {
    const part = hiddenPart(dialect, column);
    return part === undefined ? undefined : `${table}.${column.name}.${part}`;
  },
  (comparison, note, stored) => {
    const checks = stored.map(({ former, column, type }) =>
      (column.itemType ? hasItems : survivesConversion)(comparison, column, former, type),
    );
    return { ...note, check: allOf(checks) };
  },
);

/** The check that the values of a column are lists whose values have the type of the field. */
const hasItems =
  ({ table, actualName }: Comparison, { name, itemType }: Column, former: string): RowCheck =>
  async (database) => {
    const isItem = (item: unknown): boolean =>
      itemType === 'text' ? typeof item === 'string' : Number.isSafeInteger(item);
    const ids = new NamedRows();
    for await (const rows of slicesOf(database, actualName, [`cast(${quote(former)} as text)`])) {
      for (const [, id, json] of rows) {
        const value: unknown = JSON.parse(String(json));
        if (value !== null && !(Array.isArray(value) && value.every(isItem))) ids.add('', id);
      }
    }
    return ids.describe(
      (_, rows, some) =>
        `Column ${quote(name)} of table ${quote(table.name)} holds no list of ${itemType === 'text' ? 'strings' : 'integers'} in ` +
        `${rows}: ${some}. Give the field a new name (the old column keeps its data), or restore its type.`,
    );
  };

export const migration: MigrationPart = { ...hiddenParts, convert: convertColumn };
