import { CliError } from '../../model/errors.ts';
import { maxBatchOperations } from '../../model/limits.ts';
import { batchPath } from '../../model/operations.ts';
import type { Api, Sent } from '../transfer/api.ts';
import type { ReadRecord } from '../transfer/pages.ts';
import type { Resource } from '../transfer/resource.ts';
import { inventBody } from './body.ts';
import { Document } from './document.ts';
import { planRecords } from './plan.ts';
import { Random } from './random.ts';
import { type Customer, day, inventCustomers, inventScene, type Scene } from './scene.ts';

/** How many records a `Filler` makes, and which. */
export interface Demo {
  /** Records and line items together. */
  readonly count: number;
  readonly seed: number;
}

/** Batches that are sent at once. */
const parallel = 4;

/** The newest records of a resource that others refer to. */
const maxIds = 20_000;

/** How many line items a parent gets, on average. */
const itemsOfParent = 3;

interface Operation {
  readonly method: 'POST';
  readonly path: string;
  readonly body?: unknown;
}

/** How many were made. */
export interface Made {
  readonly records: number;
  readonly items: number;
}

interface BatchAnswer {
  readonly results: readonly { readonly status: number; readonly body: { readonly id: string } }[];
}

/** Fills a server with invented records. */
export class Filler {
  readonly #api: Api;
  readonly #demo: Demo;
  readonly #random: Random;
  readonly #customers: readonly Customer[];
  readonly #ids = new Map<string, string[]>();
  readonly #onMade: (made: Made) => void;
  #made: Made = { records: 0, items: 0 };

  /** @param onMade is told how many there are after each batch */
  constructor(api: Api, demo: Demo, onMade: (made: Made) => void) {
    this.#api = api;
    this.#demo = demo;
    this.#random = new Random(demo.seed);
    this.#customers = inventCustomers(this.#random, Math.min(300, Math.max(12, Math.round(Math.sqrt(demo.count)))));
    this.#onMade = onMade;
  }

  /**
   * Makes the records, those that are referred to first. On the same day, the same seed makes the same ones.
   *
   * @returns the names of resources without any, as nothing is known of a field that they must have
   * @throws CliError if the server refuses, or does not answer
   */
  async fill(resources: readonly Resource[]): Promise<string[]> {
    const document = new Document((await this.#api.get<unknown>('/openapi.json')).body);
    for (const resource of resources) if (resource.table.kind === 'singleton') await this.#complete(resource, document);
    const skipped: string[] = [];
    for (const { resource, count } of planRecords(resources, this.#demo.count)) {
      const isPossible = await this.#sendAll(this.#batchesOf(resource, count, document), resource.table);
      if (!isPossible) skipped.push(resource.name);
    }
    return skipped;
  }

  /** Sets the empty fields of settings; the others keep their values. */
  async #complete(resource: Resource, document: Document): Promise<void> {
    const { body: record } = await this.#api.get<ReadRecord>(resource.path);
    this.#ids.set(resource.table.name, [record.id]);
    const invented = inventBody(resource, document, this.#scene(1, false), this.#ids, undefined) ?? {};
    const empty = Object.entries(invented).filter(([name]) => record[name] === null);
    if (empty.length === 0) return;
    const changes = Object.fromEntries(empty);
    requireDone(await this.#api.send<ReadRecord>('PATCH', `${resource.path}/${record.id}`, changes));
  }

  #scene(number: number, isLineItem: boolean): Scene {
    const today = Math.floor(Date.now() / day) * day;
    return inventScene(this.#random, this.#customers, { number, isLineItem }, today);
  }

  /** The creates of a resource, each followed by its moves; undefined where nothing can be invented. */
  *#batchesOf(resource: Resource, count: number, document: Document): Generator<Operation[] | undefined> {
    const { table, path } = resource;
    const parents = this.#ids.get(table.parent?.table ?? '') ?? [];
    let batch: Operation[] = [];
    for (let number = 1; number <= count; number++) {
      // Lists begin with the newest records: those have line items.
      const parent = parents.at(-1 - (Math.floor((number - 1) / itemsOfParent) % parents.length));
      const body = inventBody(resource, document, this.#scene(number, table.kind === 'line-item'), this.#ids, parent);
      if (!body) return yield undefined;
      const states = this.#movesOf(table);
      if (batch.length + 1 + states.length > maxBatchOperations) {
        yield batch;
        batch = [];
      }
      const place = batch.length;
      batch.push({ method: 'POST', path, body });
      for (const name of states) batch.push({ method: 'POST', path: `${path}/{result:${place}}/${name}` });
    }
    if (batch.length > 0) yield batch;
  }

  /** The names of moves that a record goes through, some of them none. */
  #movesOf({ columns, transitions }: Resource['table']): string[] {
    const names: string[] = [];
    const state = new Map(columns.map((column) => [column.name, column.default]));
    for (let chance = 0.65; names.length < transitions.length && this.#random.chance(chance); chance /= 2) {
      const possible = transitions.filter(({ field, from }) => from.includes(String(state.get(field))));
      if (possible.length === 0) break;
      const move = this.#random.of(possible);
      names.push(move.name);
      state.set(move.field, move.to);
    }
    return names;
  }

  /** Sends batches, several at once. @returns false where there is nothing to send */
  async #sendAll(batches: Iterable<Operation[] | undefined>, table: Resource['table']): Promise<boolean> {
    const active = new Set<Promise<void>>();
    let failure: Error | undefined;
    const ids: string[] = [];
    for (const batch of batches) {
      if (!batch) return false;
      const sending = this.#send(batch, ids, table.kind)
        .catch((error: Error) => {
          failure ??= error;
        })
        .finally(() => active.delete(sending));
      active.add(sending);
      if (active.size >= parallel) await Promise.race(active);
      if (failure) break;
    }
    await Promise.all(active);
    if (failure) throw failure;
    this.#ids.set(table.name, ids.toSorted());
    return true;
  }

  async #send(batch: readonly Operation[], ids: string[], kind: Resource['table']['kind']): Promise<void> {
    const sent = await this.#api.send<BatchAnswer>('POST', batchPath, { operations: batch });
    const { results } = requireDone(sent);
    const created = results.flatMap(({ status, body }) => (status === 201 ? [body.id] : []));
    ids.push(...created);
    ids.splice(0, ids.length - maxIds);
    const { records, items } = this.#made;
    this.#made =
      kind === 'line-item' ? { records, items: items + created.length } : { records: records + created.length, items };
    this.#onMade(this.#made);
  }
}

function requireDone<T>(sent: Sent<T>): T {
  if (sent.outcome === 'done') return sent.body;
  const reason = sent.outcome === 'unknown' ? sent.cause : sent.problem.detail;
  throw new CliError(`The records could not all be made: ${reason}`);
}
