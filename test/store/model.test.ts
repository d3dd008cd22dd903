import { beforeEach, expect, test } from 'vitest';

import { newId } from '../../runtime/ids.ts';
import type { Value } from '../../runtime/schema/fields.ts';
import type { Table } from '../../runtime/schema/table.ts';
import type { Page, SingleResult, SingleWrite, WriteResult } from '../../runtime/store/store.ts';
import { Random } from '../support/random.ts';
import { repeatable, rounds, seed } from '../support/seed.ts';
import {
  branch,
  company,
  type Fields,
  insertOf,
  office,
  onEachEngine,
  options,
  parsed,
  part,
  rule,
  slot,
  type Stored,
  tableNamed,
  vehicle,
} from './contract.ts';
import { Model, type ModelResult } from './model.ts';

const used: readonly Table[] = [company, office, office, vehicle, rule, rule, part, branch, options, slot];
// The first one has found a fault.
const seeds = [291_406, ...Array.from({ length: rounds(2, 29) }, (_, n) => seed + n)];
const steps = 400;

/** Writes and pages that are often about the same few records. */
class Choice {
  readonly #random: Random;
  readonly #model: Model;

  constructor(random: Random, model: Model) {
    this.#random = random;
    this.#model = model;
  }

  table(): Table {
    return this.#random.of(used);
  }

  id(table: Table): string {
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
        return insertOf(table, fields);
      }
      case 'transition':
        if (table !== company) break;
        return {
          op: 'transition',
          ...about,
          field: 'status',
          from: random.of([['draft'], ['', 'ä']]),
          to: 'draft',
          time,
        };
      case 'delete':
        if (table.kind === 'singleton') break;
        return { op: 'delete', ...about };
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
    return { limit: 1 + random.below(6), ...piece, ...(where && { where }) };
  }
}

beforeEach(repeatable);

onEachEngine((subject) => {
  test.each(seeds)('random writes do what they say, and lists show it (seed %i)', async (ownSeed) => {
    const model = new Model();
    model.adopt(options, parsed(options, await subject.store.only('options')));
    const random = new Random(ownSeed);
    const choice = new Choice(random, model);
    const outcomes = new Set<string>();

    const shown = (write: SingleWrite, result: SingleResult): ModelResult => {
      const table = used.find(({ name }) => name === write.table) as Table;
      return result.outcome === 'written' ? { outcome: 'written', row: parsed(table, result.json) } : result;
    };

    /** Does what the model does with the same writes one by one, up to the first that fails: then nothing. */
    const batch = async (): Promise<string> => {
      const writes: SingleWrite[] = [];
      const wanted: unknown[] = [];
      const isTrial = random.chance(0.1);
      let failure: ModelResult | undefined;
      model.attempt(() => {
        const length = 1 + random.below(6);
        while (writes.length < length && !failure) {
          const write = choice.write();
          const result = model.write(write);
          writes.push(write);
          if (result.outcome === 'reordered') {
            const page = model.list(tableNamed(write.table), { limit: 1000, offset: 0, where: result.parent });
            // A copy: the model keeps its rows, and changes them.
            wanted.push(structuredClone({ ...result, page }));
          } else if (result.outcome === 'written' || result.outcome === 'deleted') {
            wanted.push(result);
          } else {
            failure = result;
          }
        }
        return !failure && !isTrial;
      });
      const at = wanted.length;
      // What follows a write that fails is not done, whatever it is.
      if (failure) writes.push(choice.write());
      const result = await subject.store.write({ op: 'batch', table: writes[0]!.table, writes, isTrial });
      const context = JSON.stringify({ writes });
      if (failure || isTrial) {
        expect(result, context).toEqual({ outcome: 'refused', at, reason: failure });
      } else {
        expect(result, context).toMatchObject({ outcome: 'done' });
        const { results } = result as Extract<WriteResult, { outcome: 'done' }>;
        const found = results.map((effect, place) => {
          const write = writes[place]!;
          if (effect.outcome !== 'reordered') return shown(write, effect);
          const items = (JSON.parse(`[${effect.page?.items}]`) as Stored[]).map((row) =>
            parsed(tableNamed(write.table), JSON.stringify(row)),
          );
          return { ...effect, page: { ...effect.page, items } };
        });
        expect(found, context).toEqual(wanted);
      }
      return result.outcome;
    };
    for (let step = 0; step < steps; step++) {
      if (random.chance(0.2)) {
        outcomes.add(`batch: ${await batch()}`);
      } else {
        const write = choice.write();
        const result = (await subject.store.write(write)) as SingleResult;
        expect(shown(write, result), JSON.stringify({ step, write })).toEqual(model.write(write));
        outcomes.add(`${write.op}: ${result.outcome}`);
      }
      const listed = choice.table();
      if (listed === options) continue;
      const page = choice.page(listed);
      const found = await subject.page(listed, page);
      expect(found, JSON.stringify({ step, table: listed.name, page })).toEqual(model.list(listed, page));
    }
    for (const table of used) {
      for (const row of model.rows(table)) expect(await subject.get(table, row.id)).toEqual(row satisfies Stored);
    }
    // Else the choices above are bad ones.
    expect(outcomes.size).toBeGreaterThanOrEqual(10);
  });
});
