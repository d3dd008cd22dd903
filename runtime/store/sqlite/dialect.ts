import { quote, shownValue } from '../ddl.ts';
import type { Dialect } from '../dml.ts';

/** SQLite's SQL. A write transaction is the only one, so that rows need no locks. */
export const sqliteDialect: Dialect = {
  parameter: (n) => `?${n}`,
  recordJson({ columns }) {
    const pairs = columns.map((column) => {
      const { name, type } = column;
      const value = shownValue(column);
      // Booleans are stored as 0 and 1.
      const json = type === 'boolean' ? `case ${value} when 1 then json('true') when 0 then json('false') end` : value;
      return `'${name}', ${json}`;
    });
    return `json_object(${pairs.join(', ')})`;
  },
  valueJson(column) {
    const value = shownValue(column);
    if (column.type !== 'boolean') return `json_quote(${value})`;
    return `case ${value} when 1 then 'true' when 0 then 'false' else 'null' end`;
  },
  idIn: (row) => `${row}."id"`,
  joined: (texts) => `concat_ws(',', ${texts.join(', ')})`,
  selectJson(table, rows) {
    return `select ${this.recordJson(table)} from ${rows}`;
  },
  isParent: (field, parameter) => `${field} = ${parameter}`,
  later: (column, parameter) => `max(${column}, ${parameter})`,
  lock: { againstDelete: '', exclusive: '' },
  positions: (parameter) =>
    `(select value ->> 'id' as "id", value ->> 'idx' as "idx" from json_each(${parameter})) as _position`,
  withCounter(table, change, kind) {
    const parent = table.parent ? quote(table.parent.field) : "''";
    return `${change} returning ${kind === 'insert' ? this.recordJson(table) : '1'}, ${parent}`;
  },
  lockExternalParent: () => undefined,
};
