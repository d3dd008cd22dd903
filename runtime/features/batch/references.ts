import { tryDecodeURIComponent } from 'hono/utils/url';
import type { FieldError } from '../../kernel/model/errors.ts';
import { pointerTo } from '../../kernel/model/validate.ts';
import { JsonText } from '../../kernel/values/json-text.ts';

/** The parts of an operation that references may stand in. */
export interface Parts {
  /** The id in its path, as it is written. */
  readonly id: string;
  readonly body?: unknown;
}

/** An id in a path: `{result:0}`. */
const idReference = /^\{result:(.*)\}$/;

/** The object `{"result": 0}` in place of a value in a body: a field that holds objects has another form. */
const isReference = (value: object): value is { readonly result: unknown } =>
  Object.hasOwn(value, 'result') && Object.keys(value).length === 1;

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

type Place = readonly (string | number)[];

/**
 * Replaces the references in an operation: the ids of records that earlier operations of the same batch create.
 *
 * @param replace gets the place that a reference names, which may be anything, and the path to it in the operation
 */
function replaceReferences({ id, body }: Parts, replace: (result: unknown, place: Place) => unknown): Parts {
  const replaced = (value: unknown, place: Place): unknown => {
    // An object of any form is a value.
    if (!isObject(value) || value instanceof JsonText) return value;
    // A body itself may have a field of that name.
    if (place.length > 1 && isReference(value)) return replace(value.result, place);
    // Most bodies have no references, and are as they were sent.
    if (!Object.values(value).some(isObject)) return value;
    if (Array.isArray(value)) return value.map((one, at) => replaced(one, [...place, at]));
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, replaced(one, [...place, key])]));
  };
  const text = idReference.exec(id)?.[1];
  const result = text !== undefined && /^\d+$/.test(text) ? Number(text) : text;
  return {
    id: text === undefined ? tryDecodeURIComponent(id) : String(replace(result, ['path'])),
    body: replaced(body, ['body']),
  };
}

/**
 * The errors of the references that name no earlier operation which creates a record.
 *
 * @param creates whether the operation at a place does
 */
export function wrongReferences(operations: readonly Parts[], creates: (at: number) => boolean): FieldError[] {
  const errors: FieldError[] = [];
  for (const [at, operation] of operations.entries()) {
    replaceReferences(operation, (result, place) => {
      if (Number.isInteger(result) && Number(result) >= 0 && Number(result) < at && creates(Number(result))) return;
      const message = 'must name an earlier operation that creates a record, by its place from 0';
      errors.push({ ...pointerTo(['operations', at, ...place]), code: 'no_earlier_create', message });
    });
  }
  return errors;
}

/** The parts of an operation with the ids that its references stand for, by the places of their operations. */
export const resolved = (operation: Parts, ids: readonly string[]): Parts =>
  replaceReferences(operation, (result) => ids[Number(result)]);
