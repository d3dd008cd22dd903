import { maxDigits } from '../model/decimals.ts';
import type { ColumnType } from '../model/fields.ts';
import type { Column } from '../model/table.ts';
import { postgresValues } from '../postgres/dialect.ts';
import { literal, quote } from '../sql/schema.ts';
import type { Conversion } from './schema-plan.ts';

/** A condition: the value equals itself after a conversion to the type of a column and back. */
type Condition = (value: string, column: Column) => string;

/** Casts fail for other values: a pattern is matched first. */
const matches = (value: string, pattern: string, condition: string): string =>
  `case when ${value} ~ ${literal(pattern)} then ${condition} else false end`;

const isSafe = (value: string): string => `abs(${value}) <= ${Number.MAX_SAFE_INTEGER}`;
const isBit: Condition = (value) => `${value} in (0, 1)`;

/** A number has at most the digits of a column of decimals. */
const fits: Condition = (value, { scale = 0 }) =>
  `scale(trim_scale(${value})) <= ${scale} and abs(${value}) < 1e${maxDigits - scale}::numeric`;

/** The conditions of conversions that change some values. */
const conditions: Readonly<Record<Exclude<ColumnType, 'json'>, Readonly<Partial<Record<ColumnType, Condition>>>>> = {
  text: {
    bigint: (value) => matches(value, '^(0|-?[1-9][0-9]{0,15})$', isSafe(`${value}::bigint`)),
    'double precision': (value) =>
      matches(
        value,
        '^-?(0|[1-9][0-9]{0,30})([.][0-9]{1,30})?(e[+-][0-9]{2,3})?$',
        `case when ${value}::numeric = 0 or abs(${value}::numeric) between 1e-307 and 1.7976931348623157e308 ` +
          `then ${value}::double precision::text = ${value} else false end`,
      ),
    decimal: (value, column) =>
      matches(value, String.raw`^(?!-[0.]+$)-?(0|[1-9]\d{0,17})(\.\d{1,18})?$`, fits(`${value}::numeric`, column)),
    boolean: (value) => `${value} in ('true', 'false')`,
  },
  bigint: { 'double precision': isSafe, decimal: (value, column) => fits(`${value}::numeric`, column), boolean: isBit },
  'double precision': {
    bigint: (value) => `${value} = trunc(${value}) and ${isSafe(value)}`,
    // The cast of the number itself keeps 15 digits.
    decimal: (value, column) => fits(`${value}::text::numeric`, column),
    boolean: isBit,
  },
  decimal: {
    decimal: fits,
    bigint: (value) => `${value} = trunc(${value}) and ${isSafe(value)}`,
    'double precision': (value) => `${value}::double precision::text::numeric = ${value}`,
    boolean: () => 'false',
  },
  boolean: { decimal: () => 'false' },
};

/** The condition of a conversion, which no list survives; undefined if it changes no value. */
const conditionOf = ({ from, column }: Conversion, value: string): string | undefined =>
  from.type === 'json' || column.type === 'json' ? 'false' : conditions[from.type][column.type]?.(value, column);

/** PostgreSQL casts a boolean to `int` alone, and no number but `int` to a boolean. */
function cast(value: string, from: ColumnType, { type: to, scale = 0 }: Column): string {
  if (from === 'json' || to === 'json') return 'null';
  if (to === 'decimal') return from === 'boolean' ? 'null' : `round(${value}::text::numeric, ${scale})`;
  if (from === 'boolean' && to !== 'text') return `${value}::int::${to}`;
  return to === 'boolean' && from !== 'text' ? `${value} = 1` : `${value}::${to}`;
}

/** One statement, which fails if a value that would be lost was stored since those were counted. */
export function convert(conversion: Conversion): string[] {
  const { table, column, from } = conversion;
  const name = quote(column.name);
  const isEqual = conditionOf(conversion, name);
  const result = cast(name, from.type, column);
  const type = postgresValues.type(column);
  const using = isEqual
    ? `case when ${name} is null then null when ${isEqual} then ${result} else ('not equal: ' || ${name})::${type} end`
    : result;
  const actions = [
    `alter column ${name} drop default`,
    `alter column ${name} type ${type} using ${using}`,
    ...(column.default === null
      ? []
      : [`alter column ${name} set default ${postgresValues.literal(column, column.default)}`]),
  ];
  return [`alter table ${quote(table)}\n  ${actions.join(',\n  ')}`];
}

/** See `MigrationDialect.converted`. */
export function converted(conversion: Conversion, value: string): string {
  const isEqual = conditionOf(conversion, value);
  const result = cast(value, conversion.from.type, conversion.column);
  return isEqual === undefined ? result : `case when ${isEqual} then ${result} end`;
}
