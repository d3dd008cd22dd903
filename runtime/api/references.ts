import type { FieldError } from '../model/errors.ts';
import { pointerTo } from '../model/validate.ts';

/** The id of the record that an earlier operation of the same batch creates, where a body or a path names it. */
interface Reference {
  /** The path to it in the operation. */
  readonly place: readonly (string | number)[];
  /** The place of that operation; whatever a client may have written. */
  readonly result: unknown;
}

interface Operation {
  readonly path: string;
  readonly body?: unknown;
}

/** A segment of a path: `{result:0}`. */
const pathReference = /(?<=\/)\{result:([^/?]*)\}(?=[/?]|$)/g;

/** The object `{"result": 0}` in place of a value in a body: no field holds an object. */
const isReference = (value: object): value is { readonly result: unknown } =>
  Object.hasOwn(value, 'result') && Object.keys(value).length === 1;

/** Adds the references in a value to `found`. @param place of the value; the same array for all of them */
function findIn(value: unknown, place: (string | number)[], found: Reference[]): void {
  if (typeof value !== 'object' || value === null) return;
  // A body itself may have a field of that name.
  if (place.length > 1 && isReference(value)) {
    found.push({ place: [...place], result: value.result });
    return;
  }
  for (const [key, inner] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
    place.push(key);
    findIn(inner, place, found);
    place.pop();
  }
}

function referencesIn({ path, body }: Operation): Reference[] {
  const found = Array.from(path.matchAll(pathReference), ([, text = '']): Reference => {
    return { place: ['path'], result: /^\d+$/.test(text) ? Number(text) : text };
  });
  findIn(body, ['body'], found);
  return found;
}

/**
 * The errors of the references that name no earlier operation which creates a record.
 *
 * @param creates whether the operation at a place does
 */
export function wrongReferences(operations: readonly Operation[], creates: (at: number) => boolean): FieldError[] {
  return operations.flatMap((operation, at) => {
    const isEarlierCreate = (result: unknown): boolean =>
      typeof result === 'number' && Number.isInteger(result) && result >= 0 && result < at && creates(result);
    return referencesIn(operation)
      .filter(({ result }) => !isEarlierCreate(result))
      .map(({ place }) => ({
        ...pointerTo(['operations', at, ...place]),
        code: 'no_earlier_create' as const,
        message: 'must name an earlier operation that creates a record, by its place from 0',
      }));
  });
}

/** The path of an operation, and its body, with the ids that its references stand for, by the places of their operations. */
export function resolved(operation: Operation, ids: readonly string[]): Operation {
  if (referencesIn(operation).length === 0) return operation;
  const { path, body } = operation;
  const value = (inner: unknown, isBody = false): unknown => {
    if (typeof inner !== 'object' || inner === null) return inner;
    if (!isBody && isReference(inner)) return ids[Number(inner.result)];
    if (Array.isArray(inner)) return inner.map((one) => value(one));
    return Object.fromEntries(Object.entries(inner).map(([key, one]) => [key, value(one)]));
  };
  return {
    path: path.replaceAll(pathReference, (_, text: string) => ids[Number(text)] ?? ''),
    body: value(body, true),
  };
}
