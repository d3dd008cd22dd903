import { maxTargetBytes } from '../../runtime/kernel/model/limits.ts';
import type { Operation } from './document.ts';
import type { GeneratedRequest } from './requests.ts';

/** An answer that refuses a request. */
export interface Refusal {
  readonly code: string;
  readonly detail: string;
  readonly errors?: readonly { readonly pointer: string; readonly code: string }[];
}

/** The facts that decide whether a refusal is right. */
interface Case {
  readonly operation: Operation;
  readonly request: GeneratedRequest;
  readonly target: string;
  readonly refusal: Refusal;
  /** The ids of records that are there. */
  readonly known: ReadonlySet<string>;
}

/** The values of the fields that a refusal points at; an error without a field points at none. */
const refusedValues = ({ refusal: { errors = [] }, request }: Case): unknown[] =>
  errors.map(({ pointer }) => (request.body as Readonly<Record<string, unknown>>)[pointer.slice(1)]);

const isZeroWithSign = (value: unknown): boolean => /^-0(?:\.0+)?$/.test(String(value));

const namesOf = (value: unknown): string[] => [value ?? []].flat().map(String);

const isTransition = ({ path }: Operation): boolean => /\{id\}\/[^/]+$/.test(path);

/** Everything that no schema says and a request is refused for, as docs/api.md lists it. */
export const exceptions: Readonly<Record<string, (one: Case) => boolean>> = {
  'an id that is not there': ({ request, refusal, known, operation }) =>
    refusal.code === 'not_found' &&
    ((request.id !== undefined && !known.has(request.id)) || operation.path.endsWith('/reorder')),
  'an `Idempotency-Key` of another request': ({ refusal, request }) =>
    refusal.code === 'idempotency_key_reused' && request.headers['Idempotency-Key'] !== undefined,
  'an `If-Match` that the record does not meet': ({ refusal, request }) =>
    refusal.code === 'stale' && !['*', undefined].includes(request.headers['If-Match']),
  'a parent that is not there': ({ refusal }) => refusal.code === 'parent_missing',
  'a reference to a record that is not there': (one) =>
    one.refusal.code === 'reference_missing' && refusedValues(one).every((id) => !one.known.has(String(id))),
  'a delete of a record that others reference': ({ refusal, operation }) =>
    refusal.code === 'still_referenced' && operation.method === 'DELETE',
  'unique values that another record has': ({ refusal }) => refusal.code === 'not_unique',
  'a state that a transition does not start from': ({ refusal, operation }) =>
    refusal.code === 'wrong_state' && isTransition(operation),
  'a state that locks a record': ({ refusal }) => refusal.code === 'locked',
  'a rule that the record does not meet': ({ refusal, operation: { path } }) =>
    path.startsWith('/api/expenses/claim') && refusal.code === 'rule_violated',
  'a hook that refuses it': ({ refusal, operation: { path } }) =>
    path.startsWith('/api/lending/checkout') && ['blocked_tool', 'too_many_checkouts'].includes(refusal.code),
  'a transition that requires a field which is null': ({ refusal, operation }) =>
    refusal.code === 'invalid_body' &&
    isTransition(operation) &&
    (refusal.errors ?? []).every(({ code }) => code === 'null_not_allowed'),
  'a read-only or immutable field with another value than it has': ({ refusal }) =>
    refusal.code === 'invalid_body' &&
    (refusal.errors ?? []).every(({ code }) => code === 'read_only' || code === 'immutable'),
  'items of a reorder that are named twice, or have different parents': ({ refusal, operation }) =>
    refusal.code === 'invalid_body' &&
    operation.path.endsWith('/reorder') &&
    (refusal.errors ?? []).every(({ code }) => code === 'duplicate' || code === 'different_parent'),
  'an `after` with an `offset` other than 0': ({ request: { query }, refusal }) =>
    refusal.code === 'invalid_query' && query['after'] !== undefined && Number(query['offset'] ?? 0) !== 0,
  'an `after` that is not there, in an order that needs it': ({ request: { query }, refusal, operation }) => {
    const isByCreation = /^-?(?:id|created_at)$/.test(namesOf(query['sort'])[0] ?? '');
    const isOfItems = operation.parameters.some(({ name }) => name === 'parent_id');
    return (
      refusal.code === 'invalid_query' &&
      query['after'] !== undefined &&
      !isByCreation &&
      (isOfItems || 'sort' in query)
    );
  },
  'a field twice in `sort`, once in each direction': ({ request: { query }, refusal }) => {
    const names = namesOf(query['sort']).map((name) => name.replace('-', ''));
    return refusal.code === 'invalid_query' && new Set(names).size < names.length;
  },
  'a `q` without a word, or with too many': ({ request: { query }, refusal }) =>
    refusal.code === 'invalid_query' && query['q'] !== undefined && refusal.detail.includes('"q"'),
  'a `date-time` before the year 0000 or after 9999 in UTC': ({ refusal: { code, errors = [], detail } }) =>
    code === 'invalid_body'
      ? errors.every((error) => error.code === 'invalid_date_time')
      : code === 'invalid_query' && detail.includes('must be a date and time'),
  'a decimal that is zero with a minus sign': (one) => {
    const { code, errors = [], detail } = one.refusal;
    if (code === 'invalid_body')
      return errors.every((error) => error.code === 'invalid_decimal') && refusedValues(one).every(isZeroWithSign);
    const sent = Object.values(one.request.query).flat();
    return code === 'invalid_query' && detail.includes('decimal number') && sent.some(isZeroWithSign);
  },
  'a count of line items without their parent, unless it is `by` parents': ({ refusal, operation: { path } }) =>
    path.endsWith('/count') && refusal.code === 'invalid_query' && refusal.detail.includes('parent_id'),
  'a count of more than 100 groups': ({ refusal }) => refusal.code === 'too_many_groups',
  'a sum that is too large': ({ refusal }) => refusal.code === 'sum_too_large',
  'a path and query that are too long together': ({ target, refusal }) =>
    refusal.code === 'uri_too_long' && target.length > maxTargetBytes,
  'a body, a record or a row that is too large': ({ refusal }) =>
    refusal.code === 'body_too_large' || refusal.code === 'record_too_large',
  'an `idx` that has no next one': ({ refusal }) => refusal.code === 'idx_exhausted',
  'an operation of a batch that is refused': ({ operation, refusal }) =>
    operation.path.endsWith('/batch') &&
    ['not_found', 'method_not_allowed', 'invalid_body', 'invalid_query', 'invalid_header', 'uri_too_long'].includes(
      refusal.code,
    ),
};
