import type { Value } from '../../schema/fields.ts';
import type { Table } from '../../schema/table.ts';
import { isCounted, parentColumns, quote } from '../ddl.ts';
import type { Write, WriteResult } from '../store.ts';
import { bind, type Statements } from './statements.ts';
import type { Totals } from './row-counters.ts';

/** Does the writes of a store, each within a transaction that somebody else has begun. */
export class Writer {
  readonly #of: (table: string) => Statements;
  readonly #totals: Totals;

  constructor(of: (table: string) => Statements, totals: Totals) {
    this.#of = of;
    this.#totals = totals;
  }

  /** Does one write, or says why it cannot be done. */
  run(write: Write): WriteResult {
    const statements = this.#of(write.table);
    switch (write.op) {
      case 'insert':
        return this.#insert(statements, write);
      case 'update':
        return this.#update(statements, write);
      case 'transition':
        return this.#transition(statements, write);
      case 'delete':
        return this.#delete(statements, write);
      case 'reorder':
        return this.#reorder(statements, write);
    }
  }

  #insert(statements: Statements, { values }: Write & { op: 'insert' }): WriteResult {
    const { table } = statements;
    let row = values;
    const place = (name: string): number => table.columns.findIndex((column) => column.name === name);
    if (table.parent) {
      if (this.#parentMissing(table, values[place(table.parent.field)] as Value)) return { outcome: 'parent_missing' };
      if (values[place('idx')] === null) {
        const names = parentColumns(table);
        const last = statements.one(
          'last',
          (name) =>
            `select max("idx") from ${name} where ${names.map((column) => `${quote(column)} is ?`).join(' and ')}`,
          ...names.map((column) => values[place(column)] as Value),
        ) as number | null;
        if (last === Number.MAX_SAFE_INTEGER) return { outcome: 'idx_exhausted' };
        row = values.with(place('idx'), (last ?? 0) + 1);
      }
    }
    const text = statements.one(
      'insert',
      (name, json) =>
        `insert into ${name} (${table.columns.map((column) => quote(column.name)).join(', ')}) ` +
        `values (${table.columns.map(() => '?').join(', ')}) returning ${json}`,
      ...row,
    );
    if (table.kind === 'record') this.#totals.add(table.name, '', 1);
    else if (table.parent) this.#count(table, row[place(table.parent.field)] as Value, 1);
    return { outcome: 'written', text: text as string };
  }

  #update(statements: Statements, { id, set, expected, time }: Write & { op: 'update' }): WriteResult {
    const { table } = statements;
    const expectations = Object.entries(expected);
    if (expectations.length > 0) {
      const row = statements
        .prepare(
          `stored ${Object.keys(expected).join()}`,
          (name) => `select ${expectations.map(([column]) => quote(column)).join(', ')} from ${name} where "id" = ?`,
        )
        .get(id) as unknown as Value[] | undefined;
      if (!row) return { outcome: 'not_found', id };
      const columns = expectations.filter(([, value], i) => bind(value) !== row[i]).map(([column]) => column);
      if (columns.length > 0) return { outcome: 'unexpected', columns };
    }
    const names = Object.keys(set);
    if (names.length === 0) {
      const text = statements.get(id);
      return text === undefined ? { outcome: 'not_found', id } : { outcome: 'written', text };
    }
    const parent = table.parent && set[table.parent.field];
    if (parent !== undefined && this.#parentMissing(table, parent)) {
      return statements.get(id) === undefined ? { outcome: 'not_found', id } : { outcome: 'parent_missing' };
    }
    const former = parent === undefined ? undefined : this.#parentOf(statements, id);
    const values = Object.values(set);
    const timed = table.columns.some(({ name }) => name === 'updated_at');
    const text = statements.one(
      `update ${names.join()}`,
      (name, json) => {
        const unchanged = names.map((column) => `${quote(column)} is ?`).join(' and ');
        const assignments = names.map((column) => `${quote(column)} = ?`);
        if (timed) {
          assignments.push(`"updated_at" = case when ${unchanged} then "updated_at" else max("updated_at", ?) end`);
        }
        return `update ${name} set ${assignments.join(', ')} where "id" = ? returning ${json}`;
      },
      ...values,
      ...(timed ? [...values, time] : []),
      id,
    ) as string | undefined;
    if (text === undefined) return { outcome: 'not_found', id };
    if (former !== undefined && parent !== undefined && former !== parent) {
      this.#count(table, former, -1);
      this.#count(table, parent, 1);
    }
    return { outcome: 'written', text };
  }

  #transition(statements: Statements, { id, field, from, to, time }: Write & { op: 'transition' }): WriteResult {
    const column = quote(field);
    const text = statements.one(
      `transition ${field} ${from.length}`,
      (name, json) =>
        `update ${name} set ${column} = ?, "updated_at" = max("updated_at", ?) ` +
        `where "id" = ? and ${column} in (${from.map(() => '?').join(', ')}) returning ${json}`,
      to,
      time,
      id,
      ...from,
    ) as string | undefined;
    if (text !== undefined) return { outcome: 'written', text };
    const state = statements.one(`state ${field}`, (name) => `select ${column} from ${name} where "id" = ?`, id);
    return state === undefined ? { outcome: 'not_found', id } : { outcome: 'wrong_state', state: state as Value };
  }

  #delete(statements: Statements, { id }: Write & { op: 'delete' }): WriteResult {
    const { table, children } = statements;
    for (const child of children) {
      const field = quote(child.parent?.field ?? '');
      this.#of(child.name)
        .prepare('delete of parent', (name) => `delete from ${name} where ${field} = ?`)
        .run(id);
    }
    const gone = statements.prepare(
      'delete',
      (name) => `delete from ${name} where "id" = ? returning ${table.parent ? quote(table.parent.field) : 'null'}`,
    );
    const row = gone.get(id) as unknown as [Value] | undefined;
    if (!row) return { outcome: 'not_found', id };
    for (const child of children) this.#totals.drop(child.name, id);
    if (table.kind === 'record') this.#totals.add(table.name, '', -1);
    else this.#count(table, row[0], -1);
    return { outcome: 'deleted' };
  }

  #reorder(statements: Statements, { items }: Write & { op: 'reorder' }): WriteResult {
    const names = parentColumns(statements.table);
    const parents: Value[][] = [];
    for (const { id } of items) {
      const row = statements
        .prepare('parent', (name) => `select ${names.map(quote).join(', ')} from ${name} where "id" = ?`)
        .get(id) as unknown as Value[] | undefined;
      if (!row) return { outcome: 'not_found', id };
      parents.push(row);
    }
    const first = parents[0] as Value[];
    const places = parents.flatMap((parent, i) => (parent.every((value, j) => value === first[j]) ? [] : [i]));
    if (places.length > 0) return { outcome: 'different_parent', places };
    for (const { id, idx } of items) {
      statements.prepare('place', (name) => `update ${name} set "idx" = ? where "id" = ?`).run(idx, id);
    }
    return { outcome: 'reordered', parent: Object.fromEntries(names.map((name, i) => [name, first[i] as Value])) };
  }

  #count({ name }: Table, parent: Value, rows: number): void {
    if (isCounted(parent)) this.#totals.add(name, parent, rows);
  }

  /** The value of a line item's parent; undefined where there is no such item. */
  #parentOf(statements: Statements, id: string): Value | undefined {
    const field = quote(statements.table.parent?.field ?? '');
    return statements.one('parent of', (name) => `select ${field} from ${name} where "id" = ?`, id) as
      Value | undefined;
  }

  #parentMissing({ parent }: Table, id: Value): boolean {
    if (parent?.table === undefined) return false;
    return this.#of(parent.table).one('exists', (name) => `select 1 from ${name} where "id" = ?`, id) === undefined;
  }
}
