import { inspect } from 'node:util';
import { type ApiError, overloaded } from '../model/errors.ts';
import { maxWorkDuration } from '../model/limits.ts';
import type { Value } from '../model/fields.ts';
import { shownRecord, type ShownRecord, shownValues, type Table } from '../model/table.ts';
import { limitWait } from '../model/wait.ts';
import { changedWrite, checkedRecord, type Draft, updateByHook } from './hook-values.ts';
import { type Hook, hookBefore, refusal } from './hooks.ts';
import { hookTimeout } from './limits.ts';
import { createRecord, type Fields, inputsOf, type PreparedWrite } from './prepare.ts';
import type { Records } from './store.ts';
import { type Guard, type SingleWrite, valuesOfTransition, type WriteOf } from './write.ts';
import type { Event } from './undo.ts';

/** A write of a unit. */
export interface Part extends PreparedWrite {
  /** The place of the requested write that it is, or whose hook adds it. */
  readonly at: number;
  /** The hook that adds it to the request. */
  readonly hook?: string;
}

/** The record that a write is about: as it is stored, unless it is new, and as it will be. */
interface Change {
  readonly before?: ShownRecord;
  readonly record: Draft;
}

/** Writes that commit together, with those that their hooks add, and the versions of the records that hooks have read. */
export class UnitOfWork {
  readonly parts: Part[] = [];
  readonly guards: Guard[] = [];
  readonly #records: Records;
  readonly #actor: string | null;

  /** @param actor who makes the request, as events tell it */
  constructor(records: Records, actor: string | null) {
    this.#records = records;
    this.#actor = actor;
  }

  /**
   * Adds a write, as its hook changes it, and the writes of the hook.
   *
   * @param at the place of the write in the request
   * @throws ApiError `refused` (422), `record_too_large` (413), `overloaded` (503) if the hook takes too long. The errors of the hook
   */
  async add(prepared: PreparedWrite, at: number): Promise<void> {
    const { table, write } = prepared;
    const hook = hookBefore(table, write);
    const change = hook && (await this.#changeOf(table, write));
    if (!hook || !change) return void this.parts.push({ ...prepared, at });
    const first = this.parts.length;
    const given = structuredClone(change.record);
    try {
      await this.#run(hook, change, at, write);
    } catch (error) {
      this.parts.length = first;
      throw error;
    }
    // A record that this one names is created first.
    const values = new Set<unknown>(Object.values(change.record));
    const named = this.parts.findLastIndex(({ id }, i) => i >= first && id !== undefined && values.has(id));
    const own = { ...changedWrite(prepared, hook.name, { ...change, given }), at };
    this.parts.splice(Math.max(first, named + 1), 0, own);
  }

  /** Adds the writes of the hook after an event. @throws as `add` does */
  follow({ name, run }: Hook, event: Event): Promise<void> {
    return inTimeOf(name, maxWorkDuration, async () => run({ ...this.#means(name, 0, maxWorkDuration), event }));
  }

  /** The change of a record by a write; undefined if the write is going to fail. */
  async #changeOf(table: Table, write: SingleWrite): Promise<Change | undefined> {
    if (write.op === 'insert') return { record: shownRecord(table, write.values) };
    if (write.op === 'reorder') return undefined;
    const before = await this.#read(table, write.id);
    const isFrom = write.op !== 'transition' || write.from.includes(String(before?.[write.field]));
    if (!before || !isFrom || this.#isStale(table, write)) return undefined;
    return { before, record: { ...(write.op === 'delete' ? before : this.#after(table, before, write)) } };
  }

  /** Runs a hook, which changes the record and adds writes. */
  #run(hook: Hook, change: Change, at: number, write: SingleWrite): Promise<void> {
    const { name, run } = hook;
    const inputs = write.op === 'transition' ? inputsOf(write) : {};
    const refuse = (code: string, message: string, field?: string): never => {
      throw refusal(hook, code, message, field).ofBody(inputs);
    };
    const input = {
      ...change,
      ...this.#means(name, at, hookTimeout, String(change.record['id'])),
      actor: this.#actor,
      refuse,
    };
    return inTimeOf(name, hookTimeout, async () => run(input));
  }

  /**
   * The functions by which a hook reads records and adds writes, for so many milliseconds.
   *
   * @param own the id of the record that a hook before its write must not update besides
   */
  #means(
    hook: string,
    at: number,
    limit: number,
    own?: string,
  ): Readonly<Record<'read' | 'create' | 'update', unknown>> {
    const deadline = performance.now() + limit;
    const add = (part: PreparedWrite): number => this.parts.push({ ...part, at, hook });
    // A loop of them would keep the timer from firing, and go on after it.
    const tableAt = (path: string): Table => {
      if (performance.now() > deadline) throw tooLong(hook, limit);
      const table = this.#records.tables.find((one) => one.path === path);
      if (!table) throw new Error(`There is no resource ${path}.`);
      return table;
    };
    return {
      read: async (path: string, id?: string) => this.#read(tableAt(path), id),
      create: async (path: string, body: Fields) => {
        const table = tableAt(path);
        const created = await createRecord(this.#records, table, checkedRecord(table, body));
        add(created);
        return shownRecord(table, (created.write as WriteOf<'insert'>).values);
      },
      update: async (path: string, id: string, changes: Fields) => {
        if (own !== undefined && id === own)
          throw new Error(
            `${hook} updates its own record: before a create or update it can change \`record\` instead.`,
          );
        add(updateByHook(tableAt(path), id, changes));
      },
    };
  }

  /** Reads a record, as the writes so far leave it. Without an id, that of a singleton. */
  async #read(table: Table, id?: string): Promise<ShownRecord | undefined> {
    const { name } = table;
    if (id === undefined && table.kind !== 'singleton') throw new Error(`read('${table.path}') needs an id.`);
    const stored = await (id === undefined ? this.#records.only(name, true) : this.#records.get(name, id, true));
    let record = stored && (JSON.parse(String(stored.json)) as ShownRecord);
    const known = id ?? String(record?.['id']);
    // The writes depend on the version that was read first.
    if (stored && !this.#guardOf(name, known)) this.guards.push({ table: name, id: known, version: stored.version });
    for (const { write } of this.parts) {
      if (write.table === name && idsOf(write).includes(known)) record = this.#after(table, record, write);
    }
    return record;
  }

  /** Whether a record that was read has none of the versions that a write needs. The commit compares what earlier writes make of it. */
  #isStale(table: Table, { id, versions }: WriteOf<'update' | 'transition' | 'delete'>): boolean {
    const read = this.#guardOf(table.name, id);
    const isChanged = this.parts.some(({ write }) => write.table === table.name && idsOf(write).includes(id));
    return versions !== undefined && read !== undefined && !isChanged && !versions.includes(read.version);
  }

  #guardOf(table: string, id: string): Guard | undefined {
    return this.guards.find((guard) => guard.table === table && guard.id === id);
  }

  #after(table: Table, record: ShownRecord | undefined, write: SingleWrite): ShownRecord | undefined {
    if (write.op === 'insert') return shownRecord(table, write.values);
    if (write.op === 'delete' || !record) return undefined;
    if (write.op === 'reorder') {
      return { ...record, idx: write.items.find(({ id }) => id === record['id'])?.idx ?? null };
    }
    const set = write.op === 'update' ? write.set : valuesOfTransition(write, this.#actor);
    return { ...record, ...shownValues(table, set) };
  }
}

const tooLong = (hook: string, limit: number): ApiError =>
  overloaded(`The hook ${hook} takes longer than ${limit / 1_000} s: nothing was done.`);

/** Runs a hook. @throws ApiError `overloaded` (503) if it takes longer than so many milliseconds. An Error, whatever the hook throws */
async function inTimeOf(hook: string, limit: number, run: () => Promise<void>): Promise<void> {
  const late = Promise.withResolvers<never>();
  try {
    await limitWait(limit, Promise.race([run(), late.promise]), () => late.reject(tooLong(hook, limit)));
  } catch (thrown) {
    throw thrown instanceof Error ? thrown : new Error(`The hook ${hook} has thrown ${inspect(thrown)}`);
  }
}

/** The ids of the records that a write creates, changes or deletes. */
function idsOf(write: SingleWrite): readonly Value[] {
  if (write.op === 'reorder') return write.items.map(({ id }) => id);
  // The id is the first column.
  return write.op === 'insert' ? write.values.slice(0, 1) : [write.id];
}
