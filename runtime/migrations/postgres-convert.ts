import type { ColumnType } from '../model/fields.ts';
import { literal, mainOrganization, organizationColumn, quote } from '../sql/schema.ts';
import type { Conversion, MigrationDialect } from './plan.ts';

/** A condition: the value equals itself after a conversion to another type and back. */
type Condition = (value: string) => string;

/** Casts fail for other values: a pattern is matched first. */
const matches = (value: string, pattern: string, condition: string): string =>
  `case when ${value} ~ ${literal(pattern)} then ${condition} else false end`;

const isSafe: Condition = (value) => `abs(${value}) <= ${Number.MAX_SAFE_INTEGER}`;
const isBit: Condition = (value) => `${value} in (0, 1)`;

/** The conditions of conversions that change some values. */
const conditions: Readonly<Record<ColumnType, Readonly<Partial<Record<ColumnType, Condition>>>>> = {
  text: {
    bigint: (value) => matches(value, '^(0|-?[1-9][0-9]{0,15})$', isSafe(`${value}::bigint`)),
    'double precision': (value) =>
      matches(
        value,
        '^-?(0|[1-9][0-9]{0,30})([.][0-9]{1,30})?(e[+-][0-9]{2,3})?$',
        `case when ${value}::numeric = 0 or abs(${value}::numeric) between 1e-307 and 1.7976931348623157e308 ` +
          `then ${value}::double precision::text = ${value} else false end`,
      ),
    boolean: (value) => `${value} in ('true', 'false')`,
  },
  bigint: { 'double precision': isSafe, boolean: isBit },
  'double precision': { bigint: (value) => `${value} = trunc(${value}) and ${isSafe(value)}`, boolean: isBit },
  boolean: {},
};

const conditionOf = ({ from, column }: Conversion): Condition | undefined => conditions[from][column.type];

/** PostgreSQL casts a boolean to `int` alone, and no number but `int` to a boolean. */
function cast(value: string, from: ColumnType, to: ColumnType): string {
  if (from === 'boolean' && to !== 'text') return `${value}::int::${to}`;
  return to === 'boolean' && from !== 'text' ? `${value} = 1` : `${value}::${to}`;
}

/** One statement, which fails if a value that would be lost was stored since those were counted. */
export function convert(conversion: Conversion): string[] {
  const { table, column, from } = conversion;
  const isEqual = conditionOf(conversion);
  const name = quote(column.name);
  const result = cast(name, from, column.type);
  const using = isEqual
    ? `case when ${name} is null then null when ${isEqual(name)} then ${result} ` +
      `else ('not equal: ' || ${name})::${column.type} end`
    : result;
  const actions = [
    `alter column ${name} drop default`,
    `alter column ${name} type ${column.type} using ${using}`,
    ...(column.default === null ? [] : [`alter column ${name} set default ${literal(column.default)}`]),
  ];
  return [`alter table ${quote(table)}\n  ${actions.join(',\n  ')}`];
}

/** See `MigrationDialect.isConvertible`. */
export const isConvertible = (conversion: Conversion, value: string): string =>
  conditionOf(conversion)?.(value) ?? 'true';

/**
 * See `MigrationDialect.addOrganization`: without a rewrite of the table.
 *
 * @param primaryKeys the names of the constraints, by the names of their tables
 */
export const addOrganization =
  (primaryKeys: ReadonlyMap<string, string>): MigrationDialect['addOrganization'] =>
  ({ table, actualName, key }) => {
    const organization = quote(organizationColumn);
    const actions = [
      `alter column ${organization} drop default`,
      `drop constraint ${quote(primaryKeys.get(actualName) ?? `${actualName}_pkey`)}`,
      `add primary key (${[organization, ...key.map(quote)].join(', ')})`,
    ];
    return [
      `alter table ${quote(table)} add column ${organization} bigint not null default ${mainOrganization}`,
      `alter table ${quote(table)}\n  ${actions.join(',\n  ')}`,
    ];
  };
