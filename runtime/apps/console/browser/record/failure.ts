import type { NotUnique, ServerProblem } from '../../../../client/failure.ts';
import { problemOf, statusOf } from '../api.ts';
import type { Field } from '../model.ts';
import { type Draft, editableFields, type Errors, type Items, recordKey } from './draft.ts';
import type { Plan } from './save.ts';
import type { Outcome } from './send.ts';
import { titleOf } from '../text.ts';
import { texts } from '../texts.ts';
import { faultAt } from '../fault-text.ts';
import { errorsIn, problemText } from '../problem-text.ts';

/** A message about a write that was not done. */
export interface Notice {
  readonly title: string;
  /** The next step of the user. */
  readonly advice: string;
}

/** Problems that users of a form have a title of their own for; others are not saved. */
const titled = [
  'insufficient_scope',
  'wrong_state',
  'locked',
  'parent_missing',
  'body_too_large',
  'rate_limited',
  'overloaded',
  'unavailable',
] as const satisfies readonly ServerProblem['code'][];

/** The message of a failure that is about no field. */
export function noticeOf(error: unknown): Notice {
  const problem = problemOf(error);
  const { kept } = texts.failure;
  if (problem?.code === 'internal') {
    return { title: texts.failure.failed, advice: `${texts.failure.failedAdvice(problem.request_id)} ${kept}` };
  }
  if (!problem) return { title: texts.failure.unreachable, advice: `${texts.failure.unreachableAdvice} ${kept}` };
  const code = titled.find((one) => one === problem.code);
  return { title: texts.failure[code ?? 'notSaved'], advice: `${problemText(problem)} ${kept}` };
}

/** The errors of a write: those of fields that its form has, and the others. */
export function errorsOf(error: unknown, fields: readonly Field[]): Errors {
  const atFields: { [field: string]: string } = {};
  const general: string[] = [];
  for (const fieldError of errorsIn(problemOf(error))) {
    const { name, isField, message } = faultAt(fieldError, fields);
    if (isField) atFields[name] ??= message;
    else general.push(name === '' ? message : texts.wrong.at(titleOf(name), message));
  }
  return { fields: atFields, general };
}

/** The errors of values that another record has, or another line item: the fields are unique together. */
function clashOf(problem: NotUnique, { resource: { route } }: Draft, fields: readonly Field[], items?: Items): Errors {
  const { conflicting_id: id, errors } = problem;
  const names = new Set(errors.map((error) => faultAt(error, fields).name));
  const clashing = fields.filter(({ name }) => names.has(name));
  if (clashing.length === 0) return { fields: {}, general: [problemText(problem)] };
  const at = items?.rows.findIndex(({ base }) => base['id'] === (id ?? '')) ?? -1;
  const { row, otherRow, otherRecord, sameAs } = texts.wrong;
  const place = items ? (at < 0 ? otherRow : row(at + 1)) : (id ?? otherRecord);
  const messageAt = (field: Field): string => {
    const partners = clashing.filter((other) => other !== field).map(({ title }) => title);
    return sameAs(partners, place);
  };
  return {
    fields: Object.fromEntries(clashing.map((field) => [field.name, messageAt(field)])),
    general: [],
    ...(!items && id !== undefined && { conflicting: { route, id } }),
  };
}

/** Whether a write was refused because the record is no longer the one that was read. */
export const isStale = (error: unknown): boolean => problemOf(error)?.code === 'stale';

export const isNotFound = (error: unknown): boolean => statusOf(error) === 404;

/**
 * The errors of rules of a record that a failure of one of its line items tells: a batch names the last operation that has
 * changed the record or its items.
 */
function ownRules({ resource }: Draft, { general }: Errors): Errors | undefined {
  const broken = resource.logic?.rules.filter(({ message }) => general.includes(message)) ?? [];
  if (broken.length === 0) return undefined;
  return {
    fields: Object.fromEntries(broken.flatMap(({ field, message }) => (field ? [[field, message]] : []))),
    general: broken.flatMap(({ field, message }) => (field ? [] : [message])),
  };
}

/** All that is wrong after a save has failed: what the server says, and what is known of the writes it did not come to. */
export function collectErrors(draft: Draft, plan: Plan, { failure }: Outcome): ReadonlyMap<string, Errors> {
  const { write, error } = failure ?? {};
  const problem = problemOf(error);
  if (!write || errorsIn(problem).length === 0) return plan.errors;
  const items = draft.items.find(({ rows }) => rows.some((row) => row.key === write.key));
  const fields = editableFields(items?.resource ?? draft.resource);
  const said = problem?.code === 'not_unique' ? clashOf(problem, draft, fields, items) : errorsOf(error, fields);
  const ofRules = items && ownRules(draft, said);
  const key = ofRules ? recordKey : write.key;
  const { fields: named, general } = ofRules ?? said;
  return new Map(plan.errors).set(key, { ...said, fields: { ...named, ...plan.errors.get(key)?.fields }, general });
}

/** Whether a failure is told by errors at fields alone. */
export const isToldByFields = (errors: ReadonlyMap<string, Errors>, { failure }: Outcome): boolean =>
  errorsIn(problemOf(failure?.error)).length > 0 &&
  [...errors.values()].some(({ fields, general }) => Object.keys(fields).length + general.length > 0);
