import { maxNamedErrors } from '../model/limits.ts';
import type { Column, Table } from '../model/table.ts';
import { indexes, quote, type SchemaDialect } from '../sql/schema.ts';
import { isUniqueIndex } from '../sql/unique.ts';
import type { Comparison, Conversion, DestructiveChanges, Finding, RowCheck, Step } from './schema-plan.ts';
import { addRequired } from './required.ts';

/** The command line that requests a destructive change. */
export const command = (option: keyof DestructiveChanges, name: string): string =>
  `\`npm run migrate -- --${option} ${name}\``;

/** The conversion of a column, if that is requested, or only changes its scale; otherwise a blocker. */
export function compareType(comparison: Comparison, column: Column, name: string, spelled: string): Finding {
  const { table, actual, dialect, convert } = comparison;
  const from = dialect.values.typeOf(spelled);
  const request = `${table.name}.${column.name}`;
  const isScale = from?.type === column.type;
  if (from && (isScale || convert.includes(request))) {
    const unique = [...actual.indexes].filter(([index, held]) => isUniqueIndex(index) && held.includes(name));
    const dropped = unique.map(([index]) => index);
    const kept = indexes(table, dialect).filter(
      (index) => dropped.includes(index.name) && index.columns.includes(column.name),
    );
    const conversion = { table: table.name, column, from };
    const check = survivesConversion(comparison, conversion, name);
    const statements = dialect.convert(conversion, dropped, kept);
    return isScale ? { kind: 'incompatible', statements, check } : { kind: 'destructive', request, statements, check };
  }
  return (
    `Column ${quote(column.name)} of table ${quote(table.name)} is ${spelled}, and the spec declares ` +
    `${dialect.values.type(column)}. Give the field a new name (the old column keeps its data), ` +
    (from ? `convert its values with ${command('convert', request)}, ` : '') +
    'or restore its old type.'
  );
}

/** The ids in rows of a count of all and an id. */
const idsOf = (rows: Parameters<RowCheck['problems']>[0]): string =>
  rows.map(([, id]) => String(id)).join(', ') + (Number(rows[0]?.[0]) > rows.length ? ' and others' : '');

/** The check that all values of a column survive a conversion. */
function survivesConversion({ actualName, dialect }: Comparison, conversion: Conversion, name: string): RowCheck {
  const { table, column, from } = conversion;
  const { values } = dialect;
  return {
    query:
      `select count(*) over (), "id" from ${quote(actualName)} ` +
      `where ${quote(name)} is not null and (${dialect.converted(conversion, quote(name))}) is null ` +
      `order by "id" limit ${maxNamedErrors}`,
    problems(rows) {
      const [count, ids] = [Number(rows[0]?.[0]), idsOf(rows)];
      const what = `Column ${quote(column.name)} of table ${quote(table)}`;
      if (from.type === column.type)
        return [`${what} has values with more than ${column.scale} decimals, or too long: ${ids}.`];
      return [
        `${what} stays ${values.type(from)}: ${count} of its values would not survive a conversion to ` +
          `${values.type(column)} and back: ${ids}.`,
      ];
    },
  };
}

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
    const conversion = isRead && { table: table.name, column, from };
    const check = conversion && (column.itemType ? hasItems : survivesConversion)(comparison, conversion, name);
    const statements = addRequired([partName(table, column, part)]);
    return [{ kind: 'addition', isNote: true, statements, ...(check && { check }) }];
  });

/** The check that the values of all lists have the type of the field. The JSON of a text has quotes, that of a number has none. */
function hasItems({ actualName }: Comparison, { table, column }: Conversion, name: string): RowCheck {
  const json = `cast(${quote(name)} as text)`;
  const isOther = column.itemType === 'text' ? `${json} <> '[]' and ${json} not like '%"%'` : `${json} like '%"%'`;
  return {
    query:
      `select count(*) over (), "id" from ${quote(actualName)} ` +
      `where ${isOther} order by "id" limit ${maxNamedErrors}`,
    problems: (rows) => [
      `Column ${quote(column.name)} of table ${quote(table)} holds lists of ` +
        `${column.itemType === 'text' ? 'integers' : 'strings'}: ${idsOf(rows)}. Give the field a new name (the old ` +
        'column keeps its data), or restore what its list is `of`.',
    ],
  };
}
