import type { Table } from '../kernel/model/table.ts';
import type { Derivation } from './types.ts';
import { toTimestamp } from '../kernel/model/formats.ts';
import { inEachRow } from './rewrites.ts';
import { looksAt } from './looks.ts';

/** The date-times of rows that may be older than their format are written as timestamps. */
export const times = looksAt(
  ({ name: table }, { name, format }) => (format === 'date-time' ? `${table}.${name} date-time` : undefined),
  ({ table }, note, stored) => {
    const fields = stored.map(({ column }) => column.name);
    return { ...note, kind: 'rewrite', need: 'cleanup', rewrite: timesRewrite(table, fields) };
  },
);

/** A text that is no date-time stays. */
const timesRewrite = (table: Table, fields: readonly string[]): Derivation => ({
  table,
  description: inEachRow(table, 'date-times', fields, 'written in UTC with milliseconds'),
  columns: () =>
    fields.map((name) => ({
      name,
      type: 'text',
      fields: [name],
      valueOf: ([value = null]) => (typeof value === 'string' ? (toTimestamp(value) ?? value) : value),
    })),
});
