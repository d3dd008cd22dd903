import { noteEtag } from './etag.ts';
import {
  type Call,
  type ClientOptions,
  HttpRequests,
  ifMatchOf,
  callPath,
  type Condition,
  type Requests,
  type WriteOptions,
} from './requests.ts';

/** No text of a record holds this character. */
const mark = '\u0000';

let batches = 0;

/** A write of a batch that is not sent yet. */
export class Queued<T> {
  /** The id of the record that it creates, for later writes of the same batch: in their bodies, and as their id. */
  readonly id: string;
  readonly place: number;
  /** Never there: it carries the type of the result. */
  declare readonly result: T;

  constructor(id: string, place: number) {
    this.id = id;
    this.place = place;
  }
}

/** The arguments of a write: of the options of its request, there is the condition. */
type Arguments<All extends readonly unknown[]> =
  Required<All> extends [...infer Given, infer Options]
    ? 'ifMatch' extends keyof Options
      ? [...Given, condition?: Condition]
      : Given
    : never;

/** The writes of resources as a batch takes them. */
export type Writes<Resources> = {
  readonly [Area in keyof Resources]: {
    readonly [Name in keyof Resources[Area]]: {
      readonly [
        O in Exclude<keyof Resources[Area][Name], 'list' | 'each' | 'count' | 'retrieve'>
      ]: Resources[Area][Name][O] extends (...args: infer All) => Promise<infer Result>
        ? (...args: Arguments<All>) => Queued<Result>
        : never;
    };
  };
};

/** The value of a callback with results in place of writes, in objects and arrays as well. */
export type Results<Returned> =
  Returned extends Queued<infer Result>
    ? Result
    : Returned extends object
      ? { -readonly [K in keyof Returned]: Results<Returned[K]> }
      : Returned;

/** Collects the writes of a batch. */
class BatchRequests implements Requests {
  readonly operations: { method: string; path: string; body: unknown; if_match: string | undefined }[] = [];
  readonly #prefix = `${mark}${(batches += 1)}:`;

  /** Queues a write. It gives what a batch's operation does, not the promise that its type says. */
  send<T>(call: Call): Promise<T> {
    const place = this.operations.length;
    const path = callPath(call, (id) => this.#segment(id));
    this.operations.push({
      method: call.method,
      path,
      body: replaced(call.body, (value) => this.#reference(value)),
      if_match: ifMatchOf(call),
    });
    return new Queued<T>(this.#prefix + place, place) as unknown as Promise<T>;
  }

  /** The place of the operation that creates the record of an id; undefined of an id that is known. */
  #placeOf(id: string): number | undefined {
    if (!id.startsWith(mark)) return undefined;
    if (id.startsWith(this.#prefix)) return Number(id.slice(this.#prefix.length));
    throw new TypeError('The id is that of a write of another batch.');
  }

  #segment(id: string): string {
    const place = this.#placeOf(id);
    return place === undefined ? encodeURIComponent(id) : `{result:${place}}`;
  }

  #reference(value: unknown): unknown {
    const result = typeof value === 'string' ? this.#placeOf(value) : undefined;
    return result === undefined ? value : { result };
  }
}

/** A value with what `replace` makes of its parts, in plain objects and arrays as well. */
function replaced(value: unknown, replace: (part: unknown) => unknown): unknown {
  const part = replace(value);
  if (part !== value || typeof part !== 'object' || part === null) return part;
  if (Array.isArray(part)) return part.map((one) => replaced(one, replace));
  if (Object.getPrototypeOf(part) !== Object.prototype) return part;
  return Object.fromEntries(Object.entries(part).map(([key, one]) => [key, replaced(one, replace)]));
}

/** Sends the writes that a callback queues as one batch: they are done in their order, all or none. */
export async function sendBatch<Resources, Returned>(
  requests: Requests,
  basePath: string,
  resources: (requests: Requests) => Resources,
  write: (queue: Writes<Resources>) => Returned,
  options?: WriteOptions,
): Promise<Results<Returned>> {
  const queue = new BatchRequests();
  const returned = write(resources(queue) as unknown as Writes<Resources>);
  if (returned instanceof Promise)
    throw new TypeError('The callback of a batch must not be async: it only queues writes.');
  const body = { operations: queue.operations };
  const { results } = await requests.send<{ results: { body: object; etag?: string }[] }>(
    { method: 'POST', path: `${basePath}/batch`, body },
    options,
  );
  for (const result of results) if (result.etag !== undefined) noteEtag(result.body, result.etag);
  const resultOf = (part: unknown): unknown => (part instanceof Queued ? results[part.place]?.body : part);
  return replaced(returned, resultOf) as Results<Returned>;
}

/** The resources of a service, and batches of their writes. */
export type Connected<Resources> = Resources & {
  /**
   * Does up to 100 writes in one commit, in the order in which the callback calls them: all, or none. Gives what the
   * callback returns, with results in place of writes.
   *
   * @throws ApiFailure of the first write that cannot be done; `problem.operation` is its place from 0
   */
  batch<Returned>(write: (queue: Writes<Resources>) => Returned, options?: WriteOptions): Promise<Results<Returned>>;
};

/**
 * Makes the client of a service.
 *
 * @param basePath the path that all resources are under
 * @param resources makes the operations of all resources, over what sends their requests
 * @throws TypeError if the URL is none
 */
export function connect<Resources extends object>(
  options: ClientOptions,
  basePath: string,
  resources: (requests: Requests) => Resources,
): Connected<Resources> {
  const requests = new HttpRequests(options);
  return { ...resources(requests), batch: (write, sent) => sendBatch(requests, basePath, resources, write, sent) };
}
