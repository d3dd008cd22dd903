import { maxNamedErrors } from '../model/limits.ts';
import type { Column, Table } from '../model/table.ts';
import { indexes, quote, type SchemaDialect } from '../sql/schema.ts';
import { isUniqueIndex } from '../sql/unique.ts';
import type { Comparison, Conversion, DestructiveChanges, Finding, RowCheck, Step } from './plan.ts';
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
      if (rows.length === 0) return [];
      const count = Number(rows[0]?.[0]);
      const ids = rows.map(([, id]) => String(id)).join(', ') + (count > rows.length ? ' and others' : '');
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

/** Whether the type of a column does not tell its scale, so that only its rows do. */
const hidesScale = ({ values }: SchemaDialect, column: Column): boolean =>
  column.scale !== undefined && values.typeOf(values.type(column))?.scale === undefined;

const scaleName = (table: Table, { name, scale }: Column): string => `${table.name}.${name}.${scale}`;

/** The scales of a table that its rows are known to have, as `requiredColumns` lists them. */
export const scaleNames = (table: Table, dialect: SchemaDialect): string[] =>
  table.columns.filter((column) => hidesScale(dialect, column)).map((column) => scaleName(table, column));

/** The steps for the scales that are not listed: a query for each reads the rows. */
export const compareScales = (comparison: Comparison): Step[] =>
  [...comparison.desired].flatMap(([name, column]) => {
    const { table, columns, actual, dialect } = comparison;
    const known = scaleName(table, column);
    if (!hidesScale(dialect, column) || actual.required.has(known)) return [];
    const from = dialect.values.typeOf(columns.get(name) ?? '');
    // A conversion from another type has its own check.
    const isRead = from?.type === column.type;
    const check = isRead && survivesConversion(comparison, { table: table.name, column, from }, name);
    return [{ kind: 'addition', isNote: true, statements: addRequired([known]), ...(check && { check }) }];
  });
