import { archivedEach, fieldsOfTerms, itemsOfParent, maxKnownIds, maxTerms } from '../limits.ts';
import { CliError } from '../../kernel/model/errors.ts';
import { maxBatchOperations } from '../../kernel/model/limits.ts';
import { batchPath } from '../../kernel/model/operations.ts';
import type { Problem } from '../../client/failure.ts';
import type { Api, Sent } from '../transfer/api.ts';
import { allOf } from '../transfer/pages.ts';
import type { ReadRecord } from '../transfer/source-row.ts';
import type { Resource } from '../transfer/resource.ts';
import { inventBody, inventInput, referencesOf } from './body.ts';
import { type Customer, inventCustomers, inventScene, Random, type Scene } from './values.ts';

/** Parts of the records that a record type and a kind of line items get. */
const weights = { record: 3, 'line-item': 2, singleton: 0 } as const;

const isTerms = ({ table, fields }: Resource): boolean =>
  table.kind === 'record' && fields.filter(({ isReadOnly }) => !isReadOnly).length <= fieldsOfTerms;

/** Divides records among resources, so that those that are referred to come before those that refer to them. */
function planRecords(resources: readonly Resource[], count: number): Map<Resource, number> {
  const creatable = resources.filter(({ table }) => table.kind !== 'singleton');
  const shares = new Map(sorted(creatable).map((resource) => [resource, 0]));
  const add = (resource: Resource, share: number): void =>
    void shares.set(resource, (shares.get(resource) ?? 0) + share);
  const others = creatable.filter((resource) => !isTerms(resource));
  let left = count;
  for (const resource of others.length > 0 ? creatable.filter(isTerms) : []) {
    const share = Math.min(left, maxTerms, Math.ceil(count / 25));
    add(resource, share);
    left -= share;
  }
  const turns = (others.length > 0 ? others : creatable).flatMap((resource) =>
    Array.from({ length: weights[resource.table.kind] }, () => resource),
  );
  for (let number = 0; number < left; number++) add(turns[number % turns.length] as Resource, 1);
  return shares;
}

function sorted(resources: readonly Resource[]): readonly Resource[] {
  const byTable = new Map(resources.map((resource) => [resource.table.name, resource]));
  const done = new Set<Resource>();
  const visit = (resource: Resource, path: ReadonlySet<Resource>): void => {
    if (done.has(resource) || path.has(resource)) return;
    // A circle of references has an optional one, which stays empty.
    const needed = resource.table.columns.filter(({ references, isNullable }) => !references || !isNullable);
    const named = needed.flatMap((column) => referencesOf(column, byTable));
    for (const table of [resource.table.parent?.table, ...named]) {
      const other = byTable.get(table ?? '');
      if (other) visit(other, new Set([...path, resource]));
    }
    done.add(resource);
  };
  for (const resource of resources) visit(resource, new Set());
  return [...done];
}

/** How many records a `Filler` makes, and which. */
interface Demo {
  /** Records and line items together. */
  readonly count: number;
  readonly seed: number;
}

/** How many were made. */
export interface Made {
  readonly records: number;
  readonly items: number;
}

/** A record that is created, or moved, and moves that follow. */
interface Operation {
  readonly path: string;
  readonly body?: unknown;
  readonly moves?: readonly { readonly name: string; readonly body: unknown }[];
}

const lengthOf = ({ moves = [] }: Operation): number => 1 + moves.length;

/** Whether the others do without the refused record: a rule or a hook, whose codes are its own, does not allow it, or it clashes. */
const isDispensable = (problem: Problem): boolean =>
  problem.code === 'not_unique' || ('status' in problem && problem.status === 422 && problem.code !== 'invalid_body');

interface BatchResponse {
  readonly results: readonly { readonly status: number; readonly body: { readonly id: string } }[];
}

/** Fills a server with invented records. */
export class Filler {
  readonly #api: Api;
  readonly #count: number;
  readonly #random: Random;
  readonly #customers: readonly Customer[];
  readonly #ids = new Map<string, string[]>();
  readonly #onMade: (made: Made) => void;
  #made: Made = { records: 0, items: 0 };

  /** @param onMade is told how many there are after each batch */
  constructor(api: Api, { count, seed }: Demo, onMade: (made: Made) => void) {
    this.#api = api;
    this.#count = count;
    this.#random = new Random(seed);
    this.#customers = inventCustomers(this.#random, Math.min(250, Math.max(12, Math.round(Math.sqrt(count)))));
    this.#onMade = onMade;
  }

  /**
   * Makes the records, those that are referred to first. On the same day, the same seed makes the same ones.
   *
   * @returns the names of resources without any: nothing is known of a field that they must have, or none of them is allowed
   * @throws CliError if the server refuses, or does not respond
   */
  async fill(resources: readonly Resource[]): Promise<string[]> {
    const skipped: string[] = [];
    for (const resource of resources) if (resource.table.kind === 'singleton') await this.#complete(resource);
    for (const [resource, count] of planRecords(resources, this.#count)) {
      if (!(await this.#make(resource, count))) skipped.push(resource.name);
    }
    // A locked record gets no more line items.
    for (const resource of resources) if (resource.table.locks) await this.#move(resource);
    for (const resource of resources) if (resource.table.unlistedBy !== undefined) await this.#archive(resource);
    return skipped;
  }

  /** Sets the empty fields of settings; the others keep their values. */
  async #complete(resource: Resource): Promise<void> {
    const { body: record } = await this.#api.get<ReadRecord>(resource.path);
    this.#ids.set(resource.table.name, [record.id]);
    const empty = Object.entries(this.#invent(resource, 1, 0) ?? {}).filter(([name]) => record[name] === null);
    if (empty.length === 0) return;
    requireDone(await this.#api.send('PATCH', `${resource.path}/${record.id}`, Object.fromEntries(empty)));
  }

  #invent(resource: Resource, number: number, turn: number, parent?: string): ReturnType<typeof inventBody> {
    const isLineItem = resource.table.kind === 'line-item';
    return inventBody(
      resource,
      inventScene(this.#random, this.#customers, { number, turn, isLineItem }),
      this.#ids,
      parent,
    );
  }

  /** Creates records, each followed by its moves. @returns false if nothing can be invented */
  async #make(resource: Resource, count: number): Promise<boolean> {
    const { table, path } = resource;
    const parents = this.#ids.get(table.parent?.table ?? '') ?? [];
    const ids: string[] = [];
    let batch: Operation[] = [];
    let length = 0;
    const before = await this.#numberBefore(resource);
    for (let number = 1; number <= count; number++) {
      // Lists begin with the newest records: those have line items.
      const parent = parents.at(-1 - (Math.floor((number - 1) / itemsOfParent) % parents.length));
      const body = this.#invent(resource, before + number, number - 1, parent);
      if (!body) break;
      const create: Operation = { path, body, moves: table.locks ? [] : this.#movesOf(table) };
      if (length + lengthOf(create) > maxBatchOperations) {
        ids.push(...(await this.#send(batch, table.kind)));
        batch = [];
        length = 0;
      }
      batch.push(create);
      length += lengthOf(create);
    }
    if (batch.length > 0) ids.push(...(await this.#send(batch, table.kind)));
    this.#ids.set(table.name, ids.slice(-maxKnownIds));
    return ids.length > 0 || count === 0;
  }

  /** Moves the records of a resource. */
  async #move({ table, path }: Resource): Promise<void> {
    const moves = (this.#ids.get(table.name) ?? []).flatMap((id) =>
      this.#movesOf(table).map(({ name, body }): Operation => ({ path: `${path}/${id}/${name}`, body })),
    );
    for (let start = 0; start < moves.length; start += maxBatchOperations) {
      await this.#send(moves.slice(start, start + maxBatchOperations), table.kind);
    }
  }

  /** Archives a few of the records of a resource. */
  async #archive({ table, path }: Resource): Promise<void> {
    const ids = (this.#ids.get(table.name) ?? []).filter((_, n) => n % archivedEach === 0).slice(0, maxBatchOperations);
    await this.#send(
      ids.map((id): Operation => ({ path: `${path}/${id}/archive`, body: undefined })),
      table.kind,
    );
  }

  /** The number behind which hardly a record of a resource with unique fields has one: a server may have records of another run. */
  async #numberBefore({ table, path }: Resource): Promise<number> {
    if (!table.unique) return 0;
    const isListed = table.kind === 'record' && table.operations.includes('list');
    if (isListed)
      return (await this.#api.get<{ total: number }>(`${path}?${new URLSearchParams({ limit: '1', ...allOf(table) })}`))
        .body.total;
    return Math.floor(Date.now() / 1000) % 100_000_000;
  }

  /** The moves that a record goes through, some of them none. */
  #movesOf({ columns, transitions, logic }: Resource['table']): NonNullable<Operation['moves']> {
    const moves: { name: string; body: unknown }[] = [];
    const state = new Map(columns.map((column) => [column.name, column.default]));
    for (let chance = 0.65; moves.length < transitions.length && this.#random.next() < chance; chance /= 2) {
      const possible = transitions.filter(
        ({ name, field, from, requires }) =>
          !requires && !logic?.transitions[name] && from.includes(String(state.get(field))),
      );
      if (possible.length === 0) break;
      const move = this.#random.of(possible);
      const scene = (): Scene => inventScene(this.#random, this.#customers, { number: 1, turn: 0, isLineItem: false });
      const body = move.input && inventInput(move, scene(), this.#ids);
      if (move.input && !body) break;
      moves.push({ name: move.name, body });
      if (move.to !== undefined) state.set(move.field, move.to);
    }
    return moves;
  }

  /** Sends a batch, without the operations that would break a rule, or clash with a record that is there. @returns the ids of the records that it created */
  async #send(batch: readonly Operation[], kind: Resource['table']['kind']): Promise<string[]> {
    if (batch.length === 0) return [];
    const operations: { readonly method: 'POST'; readonly path: string; readonly body: unknown }[] = [];
    const starts: number[] = [];
    for (const { path, body, moves = [] } of batch) {
      const start = operations.length;
      starts.push(start);
      operations.push({ method: 'POST', path, body });
      for (const { name, body: input } of moves) {
        operations.push({ method: 'POST', path: `${path}/{result:${start}}/${name}`, body: input });
      }
    }
    const sent = await this.#api.send<BatchResponse>('POST', batchPath, { operations });
    if (sent.outcome === 'refused' && isDispensable(sent.problem)) {
      const operation = ('operation' in sent.problem && sent.problem.operation) || 0;
      const at = starts.findLastIndex((start) => start <= operation);
      return this.#send(batch.toSpliced(at, 1), kind);
    }
    const { results } = requireDone(sent);
    const ids = results.flatMap(({ status, body }) => (status === 201 ? [body.id] : []));
    const made = kind === 'line-item' ? 'items' : 'records';
    this.#made = { ...this.#made, [made]: this.#made[made] + ids.length };
    this.#onMade(this.#made);
    return ids;
  }
}

function requireDone<T>(sent: Sent<T>): T {
  if (sent.outcome === 'done') return sent.body;
  throw new CliError(`The records could not all be made: ${sent.problem.detail}`);
}
