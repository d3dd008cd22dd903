import { maxNamed } from '../model/limits.ts';
import type { Column, Table } from '../model/table.ts';
import { organizationColumn } from '../sql/helper-tables.ts';
import { columnDefinition, quote, type SchemaDialect } from '../sql/schema.ts';
import { shortName, uniqueKeys } from '../sql/unique.ts';
import type { StoredType } from '../sql/values.ts';
import { converted, readValue } from './converted.ts';
import { addRequired } from './required.ts';
import type { Comparison, DestructiveChanges, Finding, RowCheck, Step } from './types.ts';
import { findsNone } from './checks.ts';
import { slicesOf } from './slices.ts';
import { duplicates } from './unique.ts';

/** The command line that requests a destructive change. */
export const command = (option: keyof DestructiveChanges, name: string): string =>
  `\`npm run migrate -- --${option} ${name}\``;

/** The steps that change the types of columns, if that is requested, or only changes a scale; otherwise blockers. */
export function* compareTypes(comparison: Comparison): Generator<Finding> {
  const { table, columns, desired, dialect, convert } = comparison;
  for (const [name, column] of desired) {
    const spelled = columns.get(name);
    if (spelled === undefined || spelled === dialect.values.type(column)) continue;
    const from = dialect.values.typeOf(spelled);
    const request = `${table.name}.${column.name}`;
    if (from?.type === column.type) yield* conversion(comparison, column, name, from, { kind: 'incompatible' });
    else if (from && convert.includes(request)) {
      yield* conversion(comparison, column, name, from, { kind: 'destructive', request });
    } else {
      yield (
        `Column ${quote(column.name)} of table ${quote(table.name)} is ${spelled}, and the spec declares ` +
        `${dialect.values.type(column)}. Give the field a new name (the old column keeps its data), ` +
        (from ? `convert its values with ${command('convert', request)}, ` : '') +
        'or restore its old type.'
      );
    }
  }
}

/** The steps that put a column with the converted values in the place of another one, and drop the unique indexes of that. */
function conversion(
  comparison: Comparison,
  column: Column,
  name: string,
  from: StoredType,
  kind: Pick<Step, 'kind' | 'request'>,
): Step[] {
  const { table, actual, dialect } = comparison;
  const next = shortName(`_${column.name}`, '_converted');
  const alter = `alter table ${quote(table.name)}`;
  const keys = uniqueKeys(table).filter(({ fields }) => fields.includes(column.name));
  const dropped = keys.flatMap((key) => [key.name, key.otherName]).filter((index) => actual.indexes.has(index));
  // Folded texts are compared later.
  const checked = keys.filter((key) => key.columns.join() === key.fields.join());
  // By then, tables and columns have their new names.
  const survives = survivesConversion({ ...comparison, actualName: table.name }, column, column.name, from);
  const areUnique = checked.map((key) =>
    duplicates(
      table.name,
      key,
      [organizationColumn, ...key.columns].map((one) => quote(one === column.name ? next : one)),
    ),
  );
  return [
    {
      ...kind,
      statements: [],
      check: survivesConversion(comparison, column, name, from),
    },
    {
      ...kind,
      rewrite: { table, what: 'converted', fields: [column.name], converted: { name: next, from } },
      // Other values may have been stored since the first look.
      check: async (database) => (await Promise.all([survives, ...areUnique].map((check) => check(database)))).flat(),
      isLate: true,
      statements: [
        `${alter} add column ${columnDefinition({ ...column, name: next }, dialect)}`,
        ...dropped.map((index) => `drop index if exists ${quote(index)}`),
        `${alter} drop column ${quote(column.name)}`,
        `${alter} rename column ${quote(next)} to ${quote(column.name)}`,
      ],
    },
  ];
}

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
    const named = ids.join(', ') + (count > ids.length ? ' and others' : '');
    return [
      from.type === column.type
        ? `${what} has values with more than ${column.scale} decimals, or too long: ${named}.`
        : `${what} stays ${values.type(from)}: ${count} of its values would not survive a conversion to ` +
          `${values.type(column)} and back: ${named}.`,
    ];
  };

/** The part of a field's type that the type of its column does not tell, so that only the rows do: a scale, the type of a list's values. */
const hiddenPart = ({ values }: SchemaDialect, column: Column): string | number | undefined =>
  values.typeOf(values.type(column))?.scale === undefined ? (column.scale ?? column.itemType) : undefined;

const partName = (table: Table, { name }: Column, part: string | number): string => `${table.name}.${name}.${part}`;

/** The hidden parts of types that the rows of a table are known to have, as `requiredColumns` lists them. */
export const hiddenPartNames = (table: Table, dialect: SchemaDialect): string[] =>
  table.columns.flatMap((column) => {
    const part = hiddenPart(dialect, column);
    return part === undefined ? [] : [partName(table, column, part)];
  });

/** The steps for the hidden parts that are not listed: a query for each reads the rows. */
export const compareHiddenParts = (comparison: Comparison): Step[] =>
  [...comparison.desired].flatMap(([name, column]) => {
    const { table, columns, actual, dialect } = comparison;
    const part = hiddenPart(dialect, column);
    if (part === undefined || actual.required.has(partName(table, column, part))) return [];
    const from = dialect.values.typeOf(columns.get(name) ?? '');
    // A conversion from another type has its own check.
    const isRead = from?.type === column.type;
    const check = isRead && (column.itemType ? hasItems : survivesConversion)(comparison, column, name, from);
    const statements = addRequired([partName(table, column, part)]);
    return [{ kind: 'addition', isNote: true, statements, ...(check && { check }) }];
  });

/** The check that the values of all lists have the type of the field. The JSON of a text has quotes, that of a number has none. */
function hasItems({ table, actualName }: Comparison, column: Column, name: string): RowCheck {
  const json = `cast(${quote(name)} as text)`;
  const isOther = column.itemType === 'text' ? `${json} <> '[]' and ${json} not like '%"%'` : `${json} like '%"%'`;
  const query = `select "id" from ${quote(actualName)} where ${isOther} order by "id" limit ${maxNamed + 1}`;
  return findsNone(query, (rows) => {
    const named = rows.slice(0, maxNamed).map(([id]) => String(id));
    const others = rows.length > maxNamed ? ' and others' : '';
    return [
      `Column ${quote(column.name)} of table ${quote(table.name)} holds lists of ` +
        `${column.itemType === 'text' ? 'integers' : 'strings'}: ${named.join(', ')}${others}. Give the field a new name ` +
        '(the old column keeps its data), or restore what its list is `of`.',
    ];
  });
}
