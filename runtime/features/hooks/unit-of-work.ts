import { inspect } from 'node:util';
import { ApiError, overloaded } from '../../kernel/model/errors.ts';
import { checkInterval, maxListLimit, maxWorkDuration } from '../../kernel/model/limits.ts';
import type { Value } from '../../kernel/model/fields.ts';
import { shownRecord, type ShownRecord, shownValues, type Table } from '../../kernel/model/table.ts';
import { printJson } from '../../kernel/values/json-text.ts';
import { limitWait } from '../../kernel/model/wait.ts';
import {
  changedWrite,
  checkedRecord,
  type Draft,
  moveByHook,
  seenByHooks,
  updateByHook,
  withoutPointers,
} from './hook-values.ts';
import { type Hook, hookBefore, refusal } from './hooks.ts';
import { type ListOptions, pageOfHook } from './lists.ts';
import type { ReadParameters } from '../../kernel/api/service.ts';
import { createRecord, type Fields, inputsOf, type PreparedWrite } from '../../kernel/records/prepare.ts';
import type { Unit, UnitWrite, WritePipeline, WriteRequest } from '../../kernel/records/write-pipeline.ts';
import { errorOf } from '../../kernel/records/write-errors.ts';
import {
  type Guard,
  type ListGuard,
  type ListRead,
  type ListState,
  type SingleWrite,
  valuesOfTransition,
  type WriteOf,
} from '../../kernel/records/write.ts';
import { type Event, eventPages } from '../trail/events.ts';

/** Milliseconds that a hook may take before a write, while its request waits; after one, it may take as long as a request. */
const hookTimeout = 2 * checkInterval;

/** The record that a write is about: as it is stored, unless it is new, and as it will be. */
interface Change {
  readonly before?: ShownRecord;
  readonly record: Draft;
}

/** A call of a hook. */
interface Call {
  /** The name of the hook. */
  readonly hook: string;
  /** The record that it is about. */
  readonly table: Table;
  readonly id: string;
  /** The place of its write in the request. */
  readonly at: number;
  /** Milliseconds. */
  readonly limit: number;
  readonly isBefore: boolean;
}

/** Writes that commit together, with those that their hooks add, and what hooks have read: versions of records, and lists. */
export class UnitOfWork {
  readonly #writes: UnitWrite[] = [];
  readonly #guards: Guard[] = [];
  readonly #lists: ListGuard[] = [];
  readonly #request: WriteRequest;
  readonly #words: WritePipeline['words'];
  readonly #parameters: readonly ReadParameters[];

  /** @param parameters those that features add to lists */
  constructor(request: WriteRequest, { words }: WritePipeline, parameters: readonly ReadParameters[]) {
    this.#request = request;
    this.#words = words;
    this.#parameters = parameters;
  }

  get composed(): Pick<Unit, 'writes' | 'guards' | 'lists'> {
    return { writes: this.#writes, guards: this.#guards, lists: this.#lists };
  }

  /** Whether a list was read without the writes before it: see `#list`. */
  get isGuess(): boolean {
    return !this.#request.isRepeated && this.#lists.some(({ at }) => at > 0);
  }

  get #records(): WriteRequest['records'] {
    return this.#request.records;
  }

  /** The sender of the request, as events tell it. */
  get #actor(): string | null {
    return this.#request.origin?.actor ?? null;
  }

  /**
   * Adds a write, as its hook changes it, and the writes of the hook.
   *
   * @param at the place of the write in the request
   * @throws ApiError `refused` (422), `record_too_large` (413), `overloaded` (503) if the hook takes too long. The errors of the hook
   */
  async add(request: PreparedWrite, at: number): Promise<void> {
    const prepared = await this.#withCopies(request);
    const { table, write } = prepared;
    const hook = hookBefore(table, write);
    const change = hook && (await this.#changeOf(table, write));
    if (!hook || !change) return void this.#writes.push({ ...prepared, at });
    const first = this.#writes.length;
    const given = structuredClone(change.record);
    try {
      await this.#run(hook, change, at, prepared);
    } catch (error) {
      this.#writes.length = first;
      throw error;
    }
    // A record that this one names is created first.
    const values = new Set<unknown>(Object.values(change.record));
    const named = this.#writes.findLastIndex(({ id }, i) => i >= first && id !== undefined && values.has(id));
    const own = { ...changedWrite(prepared, hook.name, { ...change, given }), at };
    this.#writes.splice(Math.max(first, named + 1), 0, own);
  }

  /** Adds the writes of the hook after an event. @throws as `add` does */
  follow({ name, run }: Hook, table: Table, event: Event): Promise<void> {
    const call = { hook: name, table, id: event.record, at: 0, limit: maxWorkDuration, isBefore: false };
    return inTimeOf(name, maxWorkDuration, async () => run({ ...this.#means(call), event }));
  }

  /**
   * Keeps a hook that was called before its organization was deleted from writing after that: `deleteOrganization` removes
   * events, and then waits as long as a write can take.
   */
  async requireEvent({ number }: Event): Promise<void> {
    const { events } = await this.#records.ask(eventPages, { number, limit: 1 });
    if (events.length === 0) throw new Error('The event was removed, perhaps with its organization: nothing was done.');
  }

  /** The change of a record by a write; undefined if the write is going to fail. */
  async #changeOf(table: Table, write: SingleWrite): Promise<Change | undefined> {
    if (write.op === 'insert') return { record: { ...seenByHooks(table, shownRecord(table, write.values)) } };
    if (write.op === 'reorder') return undefined;
    const before = await this.#read(table, write.id);
    const isFrom = write.op !== 'transition' || write.from.includes(String(before?.[write.field]));
    if (!before || !isFrom || this.#isStale(table, write)) return undefined;
    return { before, record: { ...(write.op === 'delete' ? before : this.#after(table, before, write)) } };
  }

  /** Runs a hook, which changes the record and adds writes. */
  #run(hook: Hook, change: Change, at: number, { table, write }: PreparedWrite): Promise<void> {
    const { name, run } = hook;
    const call = { hook: name, table, id: String(change.record['id']), at, limit: hookTimeout, isBefore: true };
    const inputs = write.op === 'transition' ? inputsOf(write) : {};
    const refuse = (code: string, message: string, field?: string): never => {
      throw refusal(hook, code, message, field).ofBody(inputs);
    };
    const input = {
      ...change,
      ...this.#means(call),
      actor: this.#actor,
      refuse,
    };
    return inTimeOf(name, hookTimeout, async () => run(input));
  }

  /** The functions by which a hook reads records and adds writes. */
  #means(call: Call): Readonly<Record<'read' | 'list' | 'items' | 'count' | 'create' | 'update' | 'move', unknown>> {
    const { hook, at, limit, isBefore } = call;
    const deadline = performance.now() + limit;
    // Lists are without the writes of the hook itself: these may refer to its own record, which is only written with them.
    const first = this.#writes.length;
    const add = (part: PreparedWrite): number =>
      this.#writes.push({ ...part, at, explain: (error) => errorOfHook(hook, part, error) });
    const requireOther = (verb: string, id: string): void => {
      if (isBefore && id === call.id)
        throw new Error(`${hook} ${verb} its own record: before a create or update it can change \`record\` instead.`);
    };
    // A loop of them would keep the timer from firing, and go on after it.
    const tableAt = (path: string): Table => {
      if (performance.now() > deadline) throw tooLong(hook, limit);
      const table = this.#records.tables.find((one) => one.path === path);
      if (!table) throw new Error(`There is no resource ${path}.`);
      return table;
    };
    return {
      read: async (path: string, id?: string) => this.#read(tableAt(path), id),
      list: async (path: string, options: ListOptions = {}) => {
        const table = tableAt(path);
        const page = pageOfHook(table, 'list', options, this.#parameters);
        return page ? recordsOf(await this.#list({ table: table.name, page }, first)) : [];
      },
      items: async (path: string) => this.#items(tableAt(path), call, first),
      count: async (path: string, options: Pick<ListOptions, 'filter'> = {}) => {
        const table = tableAt(path);
        const page = pageOfHook(table, 'count', options, this.#parameters);
        return page ? Number((await this.#list({ table: table.name, page, isCount: true }, first)).state) : 0;
      },
      create: async (path: string, body: Fields) => {
        const table = tableAt(path);
        const created = await this.#withCopies(
          await createRecord(this.#records, table, checkedRecord(table, body), this.#actor),
        );
        add(created);
        return seenByHooks(table, shownRecord(table, (created.write as WriteOf<'insert'>).values));
      },
      update: async (path: string, id: string, changes: Fields) => {
        requireOther('updates', id);
        add(updateByHook(tableAt(path), id, changes));
      },
      move: async (path: string, id: string, transition: string, input: Fields = {}) => {
        requireOther('moves', id);
        const request = { records: this.#records, table: tableAt(path), id, actor: this.#actor };
        add(await moveByHook(request, transition, input));
      },
    };
  }

  /**
   * Reads a list as the first writes leave it, by a trial of them. The commit depends on it. As most lists have none of the records of
   * these writes, the first attempt is without the trial, whose time grows with the square of their number: if that was wrong, the
   * commit finds the list changed.
   *
   * @param isExact whether the first attempt tries the writes out as well
   * @throws ApiError of a write that fails. Error if it is too long
   */
  async #list(read: ListRead, first: number, isExact = false): Promise<ListState> {
    const { records, origin, isReadable, isRepeated = isExact } = this.#request;
    const writes = isRepeated ? this.#writes.slice(0, first).map(({ write }) => write) : [];
    const trial = { op: 'batch', table: read.table, writes, isTrial: true, read, hidden: [...writes.keys()] } as const;
    const result = await records.write(trial, origin && { ...origin, once: undefined });
    if (result.outcome !== 'refused') throw new Error(`A trial was ${result.outcome}.`);
    if (result.reason) {
      const write = this.#writes[result.at] as UnitWrite;
      const error = errorOf(this.#words, write, result.reason, isReadable);
      throw write.explain?.(error) ?? error;
    }
    if (!result.list)
      throw new Error(`The records of a list of ${read.table} are too long together: give it a lower limit.`);
    this.#lists.push({ ...read, at: first, state: result.list.state });
    return result.list;
  }

  /** Reads the line items of a hook's own record, as all writes of the request leave them: `first` of them come before those of the hook. */
  async #items(table: Table, { hook, table: own, id, at }: Call, first: number): Promise<readonly ShownRecord[]> {
    const { name, path, parent } = table;
    if (parent?.table !== own.name)
      throw new Error(`${hook} asks for items of ${path}, which are not those of ${own.path}.`);
    // One more than it returns.
    const page = { where: { [parent.field]: id }, limit: maxListLimit + 1, offset: 0 };
    const { items: stored } = await this.#list({ table: name, page }, first, true);
    const items = new Map(recordsOf({ items: stored }).map((item) => [item['id'], item]));
    if (items.size > maxListLimit)
      throw new Error(`items('${path}'): there are more than ${maxListLimit}. Use count or list.`);
    for (const { write } of [...this.#writes.slice(first), ...this.#request.writes.slice(at + 1)]) {
      if (write.table !== name) continue;
      for (const one of idsOf(write)) {
        // It may come from another parent.
        const before = items.get(one) ?? (write.op === 'update' ? await this.#read(table, String(one)) : undefined);
        const after = this.#after(table, before, write);
        if (after) items.set(one, after);
        else items.delete(one);
      }
    }
    return [...items.values()].filter((item) => item[parent.field] === id).toSorted(byPlace);
  }

  /** Reads a record, as the writes so far leave it. Without an id, that of a singleton. */
  async #read(table: Table, id?: string): Promise<ShownRecord | undefined> {
    const { name } = table;
    if (id === undefined && table.kind !== 'singleton') throw new Error(`read('${table.path}') needs an id.`);
    const stored = await (id === undefined ? this.#records.only(name, true) : this.#records.get(name, id, true));
    let record = stored && (JSON.parse(String(stored.json)) as ShownRecord);
    const known = id ?? String(record?.['id']);
    // The writes depend on the version that was read first.
    if (stored && !this.#guardOf(name, known)) this.#guards.push({ table: name, id: known, version: stored.version });
    for (const { write } of this.#writes) {
      if (write.table === name && idsOf(write).includes(known)) record = this.#after(table, record, write);
    }
    return record;
  }

  /** A create with the values that it is to copy, as hooks see them. The commit depends on what was read, and copies them itself. */
  async #withCopies<P extends PreparedWrite>(prepared: P): Promise<P> {
    const { table, write } = prepared;
    if (write.op !== 'insert' || !write.absent) return prepared;
    const values = [...write.values];
    for (const [at, { name, type, copies }] of table.columns.entries()) {
      if (!copies || !write.absent.includes(name)) continue;
      const source = this.#records.tables.find((one) => one.name === copies.table) as Table;
      const id = write.values[table.columns.findIndex((column) => column.name === copies.reference)];
      const record = id === null ? undefined : await this.#read(source, id as string | undefined);
      const value = record?.[copies.field] ?? null;
      values[at] = type === 'json' && value !== null ? printJson(value) : (value as Value);
    }
    return { ...prepared, write: { ...write, values } };
  }

  /** Whether a record that was read has none of the versions that a write needs. The commit compares what earlier writes make of it. */
  #isStale(table: Table, { id, versions }: WriteOf<'update' | 'transition' | 'delete'>): boolean {
    const read = this.#guardOf(table.name, id);
    const isChanged = this.#writes.some(({ write }) => write.table === table.name && idsOf(write).includes(id));
    return versions !== undefined && read !== undefined && !isChanged && !versions.includes(read.version);
  }

  #guardOf(table: string, id: string): Guard | undefined {
    return this.#guards.find((guard) => guard.table === table && guard.id === id);
  }

  #after(table: Table, record: ShownRecord | undefined, write: SingleWrite): ShownRecord | undefined {
    if (write.op === 'insert') return seenByHooks(table, shownRecord(table, write.values));
    if (write.op === 'delete' || !record) return undefined;
    if (write.op === 'reorder') {
      return { ...record, idx: write.items.find(({ id }) => id === record['id'])?.idx ?? null };
    }
    const set = write.op === 'update' ? write.set : valuesOfTransition(write, this.#actor);
    return { ...record, ...seenByHooks(table, shownValues(table, set)) };
  }
}

const tooLong = (hook: string, limit: number): ApiError =>
  overloaded(`The hook ${hook} takes longer than ${limit / 1_000} s: nothing was done.`);

/** The error of a write that a hook adds: a conflict, what the request breaks by it, or a bug of the hook. */
function errorOfHook(hook: string, { write }: PreparedWrite, error: ApiError): ApiError {
  const { row, message } = error;
  const isOfMove = write.op === 'transition' && row.status === 422;
  if (row.status === 409 || row.code === 'rule_violated' || isOfMove) return withoutPointers(error);
  return new ApiError('internal', 'The server failed to process the request.', {
    cause: new Error(`A write of ${hook} failed: ${message}`),
  });
}

/** Runs a hook. @throws ApiError `overloaded` (503) if it takes longer than so many milliseconds. An Error, whatever the hook throws */
async function inTimeOf(hook: string, limit: number, run: () => Promise<void>): Promise<void> {
  const late = Promise.withResolvers<never>();
  try {
    await limitWait(limit, Promise.race([run(), late.promise]), () => late.reject(tooLong(hook, limit)));
  } catch (thrown) {
    throw thrown instanceof Error ? thrown : new Error(`The hook ${hook} has thrown ${inspect(thrown)}`);
  }
}

const recordsOf = ({ items }: Pick<ListState, 'items'>): ShownRecord[] => JSON.parse(`[${items}]`) as ShownRecord[];

/** The order of line items; those that come last have no place yet. */
function byPlace(one: ShownRecord, other: ShownRecord): number {
  const [place, otherPlace] = [one, other].map(({ idx }) => Number(idx ?? Infinity)) as [number, number];
  return place === otherPlace ? (String(one['id']) < String(other['id']) ? -1 : 1) : place < otherPlace ? -1 : 1;
}

/** The ids of the records that a write creates, changes or deletes. */
function idsOf(write: SingleWrite): readonly Value[] {
  if (write.op === 'reorder') return write.items.map(({ id }) => id);
  // The id is the first column.
  return write.op === 'insert' ? write.values.slice(0, 1) : [write.id];
}
