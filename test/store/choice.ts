import { newId } from '../../runtime/kernel/model/ids.ts';
import type { Value } from '../../runtime/kernel/model/fields.ts';
import type { Table } from '../../runtime/kernel/model/table.ts';
import type { Page, Projection } from '../../runtime/kernel/records/page.ts';
import type { SingleWrite } from '../../runtime/kernel/records/write.ts';
import type { Random } from '../support/random.ts';
import {
  branch,
  claim,
  company,
  type Fields,
  insertOf,
  office,
  options,
  part,
  rule,
  slot,
  type Stored,
  task,
  ticket,
  vehicle,
} from './contract.ts';
import type { Model } from './model.ts';

/** The tables that choices are about. */
export const used: readonly Table[] = [
  company,
  office,
  office,
  vehicle,
  rule,
  rule,
  part,
  branch,
  options,
  slot,
  ticket,
  claim,
  task,
];

/** Writes and pages that are often about the same few records. */
export class Choice {
  readonly #random: Random;
  readonly #model: Model;
  readonly #other: Model | undefined;

  /** @param other the records of another organization, which some of the choices are about */
  constructor(random: Random, model: Model, other?: Model) {
    this.#random = random;
    this.#model = model;
    this.#other = other;
  }

  table(): Table {
    return this.#random.of(used);
  }

  id(table: Table): string {
    const others = this.#other?.rows(table) ?? [];
    if (others.length > 0 && this.#random.chance(0.3)) return this.#random.of(others).id;
    const rows = this.#model.rows(this.#random.chance(0.95) ? table : this.table());
    if (rows.length === 0 || this.#random.chance(0.08)) return this.#random.of(['', 'none', newId(table.name).id]);
    return this.#random.of(rows).id;
  }

  value(table: Table, name: string): Value {
    const random = this.#random;
    if (name === 'id') return this.id(table);
    if (name === 'idx') return random.of([0, 1, 2, 3, -5, 7, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]);
    if (name === table.parent?.field) {
      const { parent } = table;
      if (parent.table === company.name) return this.id(company);
      if (parent.table === options.name) return this.id(options);
      return random.of([...(parent.typeField ? [null] : []), '', 'a', 'A', 'ä', 'a ']);
    }
    if (name === table.parent?.typeField) return random.of(['x', 'y']);
    const type = table.columns.find((column) => column.name === name)?.type;
    if (random.chance(0.2)) return null;
    if (type === 'boolean') return random.chance(0.5);
    if (type === 'bigint') return random.of([0, 1, -1, Number.MAX_SAFE_INTEGER]);
    if (type === 'double precision') return random.of([0, 0.1, -2.5, 5e-324, Number.MAX_VALUE]);
    return random.of(['', 'draft', 'submitted', 'ä', '🙂', "'"]);
  }

  fields(table: Table, share: number): Fields {
    const names = table.columns.filter(({ readOnly }) => !readOnly).map(({ name }) => name);
    const chosen = this.#random.shuffled(names.filter(() => this.#random.chance(share)));
    return Object.fromEntries(chosen.map((name) => [name, this.value(table, name)]));
  }

  write(): SingleWrite {
    const random = this.#random;
    const table = this.table();
    const time = random.of(['2001-01-01T00:00:00.000Z', '2998-01-01T00:00:00.000Z', '2999-01-01T00:00:00.000Z']);
    const about = { table: table.name, id: this.id(table) };
    const kinds = { insert: 8, update: 6, transition: 2, delete: table.kind === 'record' ? 2 : 4, reorder: 4 };
    switch (random.weighted(kinds)) {
      case 'insert': {
        if (table.kind === 'singleton') break;
        const { parent } = table;
        const names = parent ? [parent.field, ...(parent.typeField ? [parent.typeField] : [])] : [];
        const place = Object.fromEntries(names.map((name) => [name, this.value(table, name)]));
        const fields: Record<string, Value> = { ...this.fields(table, 0.5), ...place };
        // A renamed resource has records from before.
        if (random.chance(0.5) && table.renamedFrom) fields['id'] = newId(random.of(table.renamedFrom)).id;
        if (random.chance(0.8)) delete fields['idx'];
        const isNew = ({ id }: Stored): boolean => !this.#model.ids.has(id);
        const others = this.#other?.rows(table).filter(isNew) ?? [];
        if (others.length > 0 && random.chance(0.5)) fields['id'] = random.of(others).id;
        return insertOf(table, fields);
      }
      case 'transition':
        if (table !== company) break;
        return {
          op: 'transition',
          name: 'move',
          ...about,
          field: 'status',
          from: random.of([['draft'], ['', 'ä']]),
          to: 'draft',
          time,
        };
      case 'delete':
        if (table.kind === 'singleton') break;
        return { op: 'delete', ...about, time: '' };
      case 'reorder': {
        if (!table.parent) break;
        const rows = this.#model.rows(table);
        const { field } = table.parent;
        const first = rows.length > 0 ? random.of(rows) : undefined;
        const siblings = rows.filter((row) => row[field] === first?.[field]).map(({ id }) => id);
        const ids = random.shuffled(siblings).slice(0, 1 + random.below(5));
        if (ids.length === 0 || random.chance(0.2)) ids.push(this.id(table));
        const items = [...new Set(ids)].map((id) => ({ id, idx: Number(this.value(table, 'idx')) }));
        return { op: 'reorder', table: table.name, items };
      }
      case 'update':
    }
    const row = this.#model.rows(table).find(({ id }) => id === about.id);
    const expected: Record<string, Value> = {};
    if (random.chance(0.4)) {
      for (const { name } of table.columns) if (random.chance(0.3)) expected[name] = (row?.[name] ?? null) as Value;
      if (random.chance(0.3)) expected['id'] = 'other';
    }
    return { op: 'update', ...about, set: this.fields(table, random.of([0, 0.2, 0.5])), expected, time };
  }

  page(table: Table): Page {
    const random = this.#random;
    const { parent } = table;
    let where: Fields | undefined;
    if (parent) {
      where = { [parent.field]: this.value(table, parent.field) };
      const pair = parent.typeField !== undefined && (random.chance(0.3) || where[parent.field] === null);
      if (pair) where = { [parent.typeField]: this.value(table, parent.typeField), ...where };
    }
    const piece = random.chance(0.5) ? { offset: random.below(6) } : { offset: 0, after: this.id(table) };
    const search = table.list.search.length > 0 && random.chance(0.5) && [random.of(['d', 'submit', 'a', 'none'])];
    return { limit: 1 + random.below(6), ...piece, ...(where && { where }), ...(search && { search }) };
  }

  view({ columns, expand }: Table): Projection {
    const some = (names: readonly string[]): string[] => names.filter(() => this.#random.chance(0.5));
    const fields = ['id', ...some(columns.map(({ name }) => name).filter((name) => name !== 'id'))];
    return expand && this.#random.chance(0.5) ? { expand: some(Object.keys(expand)) } : { fields };
  }
}
