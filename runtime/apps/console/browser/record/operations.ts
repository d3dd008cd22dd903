import type { Api, Problem, RecordData } from '../api.ts';
import { Refusal } from '../api.ts';

/** The id of a record that an earlier operation creates, by the key of that operation. */
export class IdOf {
  readonly key: string;

  constructor(key: string) {
    this.key = key;
  }
}

/** One write of a save. */
export interface Operation {
  /** Names the target: the record, a row of its line items, or their order. */
  readonly key: string;
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  /** Its segments; the id of a record may be that of one that is created by the same save. */
  readonly path: readonly (string | IdOf)[];
  readonly body?: unknown;
}

/** An operation that is done, and what it was answered with. */
export interface Done<T extends Operation = Operation> {
  readonly operation: T;
  readonly answer: RecordData;
}

/** How a save has ended: everything that was done, and what was not, with the reason. */
export interface Outcome<T extends Operation = Operation> {
  readonly done: readonly Done<T>[];
  readonly failure?: {
    /** The operation that was refused, where it was one of them. */
    readonly operation: T | undefined;
    readonly error: unknown;
  };
}

/** So many operations are done in one commit. */
const maxBatch = 100;

type Ids = ReadonlyMap<string, string | number>;

/** An id is written as it is, and the place of the operation that makes it as a reference. */
const referenceTo = (ids: Ids, { key }: IdOf): string | { readonly result: number } => {
  const known = ids.get(key);
  if (known === undefined) throw new Error(`No operation creates ${key}.`);
  return typeof known === 'string' ? known : { result: known };
};

function resolved(value: unknown, ids: Ids): unknown {
  if (value instanceof IdOf) return referenceTo(ids, value);
  if (Array.isArray(value)) return value.map((one) => resolved(one, ids));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, resolved(one, ids)]));
}

function pathOf(segments: Operation['path'], ids: Ids): string {
  const texts = segments.map((segment) => {
    if (typeof segment === 'string') return segment;
    const id = referenceTo(ids, segment);
    return typeof id === 'string' ? id : `{result:${id.result}}`;
  });
  return texts.join('/');
}

/** Does the operations in one commit: all or none. */
async function sendTogether(
  api: Api,
  operations: readonly Operation[],
  created: ReadonlyMap<string, string>,
): Promise<RecordData[]> {
  const [first] = operations;
  if (operations.length === 1 && first) {
    return [
      await api.request(first.method, pathOf(first.path, created), {
        ...('body' in first && { body: resolved(first.body, created) }),
      }),
    ];
  }
  const ids = new Map<string, string | number>(created);
  const written = operations.map(({ key, method, path, body }, at) => {
    const one = { method, path: pathOf(path, ids), body: resolved(body, ids) };
    if (!created.has(key)) ids.set(key, at);
    return one;
  });
  const { results } = await api.post<{ results: { body: RecordData }[] }>('/api/batch', { operations: written });
  return results.map(({ body }) => body);
}

/** The pointers of an operation's errors lead into the batch; here they lead into its own body. */
function ownProblem(problem: Problem): Problem {
  const prefix = `/operations/${problem.operation}/body`;
  const errors = problem.errors?.map((error) => ({ ...error, pointer: error.pointer.replace(prefix, '') }));
  return { ...problem, ...(errors && { errors }) };
}

/**
 * Does the writes of a save in their order: up to 100 in one commit, all or none. More are done in several, and end at the
 * first that fails.
 */
export async function send<T extends Operation>(api: Api, operations: readonly T[]): Promise<Outcome<T>> {
  const done: Done<T>[] = [];
  const created = new Map<string, string>();
  for (let start = 0; start < operations.length; start += maxBatch) {
    const chunk = operations.slice(start, start + maxBatch);
    try {
      const answers = await sendTogether(api, chunk, created);
      for (const [at, operation] of chunk.entries()) {
        const answer = answers[at] as RecordData;
        done.push({ operation, answer });
        if (operation.method === 'POST' && typeof answer['id'] === 'string') created.set(operation.key, answer['id']);
      }
    } catch (error) {
      return { done, failure: failureOf(chunk, error) };
    }
  }
  return { done };
}

function failureOf<T extends Operation>(chunk: readonly T[], error: unknown): NonNullable<Outcome<T>['failure']> {
  const isSingle = chunk.length === 1;
  if (!(error instanceof Refusal)) return { operation: isSingle ? chunk[0] : undefined, error };
  const { operation: at } = error.problem;
  if (at === undefined) return { operation: isSingle ? chunk[0] : undefined, error };
  return { operation: chunk[at], error: new Refusal(ownProblem(error.problem)) };
}
