import { type FieldError, type Problem, Refusal } from '../api.ts';
import { type Errors, editableFields, type Draft, recordKey } from './draft.ts';
import { type Outcome } from './operations.ts';
import type { Plan, Write } from './save.ts';

/** A message about a write that was not done. */
export interface Notice {
  readonly title: string;
  /** The next step of the user. */
  readonly advice: string;
}

/** The service's codes in the words of a user of a form. */
const notices: Readonly<Record<string, (problem: Problem) => Notice>> = {
  insufficient_scope: ({ detail }) => ({
    title: 'Your key may not do this.',
    advice: `${detail} Ask your administrator for a key that may.`,
  }),
  wrong_state: ({ detail }) => ({
    title: 'That is not possible now.',
    advice: `${detail} The record is shown as it is now.`,
  }),
  parent_missing: ({ detail }) => ({
    title: 'The record that the line items belong to is gone.',
    advice: `${detail} Another user may have deleted it. Copy what you need before you leave this page.`,
  }),
  idx_exhausted: ({ detail }) => ({ title: 'No line item can be added at the end.', advice: detail }),
  body_too_large: ({ detail }) => ({
    title: 'This is too long to be saved.',
    advice: `${detail} Shorten the longest texts.`,
  }),
  rate_limited: () => ({ title: 'Too many requests.', advice: 'Wait a minute, then save again. Nothing is lost.' }),
  overloaded: () => ({ title: 'The server has too much to do.', advice: 'Save again in a moment. Nothing is lost.' }),
  unavailable: ({ detail }) => ({
    title: 'The server cannot save this now.',
    advice: `${detail} What you have typed is still here.`,
  }),
  internal: ({ request_id: id }) => ({
    title: 'The server has failed.',
    advice: `Save again; if it keeps failing, report the request ${id}. What you have typed is still here.`,
  }),
};

/** The message of a failure that is about no field. */
export function noticeOf(error: unknown, { writes }: Plan): Notice {
  if (error instanceof Refusal) {
    const { problem } = error;
    return notices[problem.code]?.(problem) ?? { title: `${problem.title}.`, advice: problem.detail };
  }
  // A change that was saved is only made once more; what is new would be there twice.
  const advice = writes.some(({ method, path }) => method === 'POST' && path.length === 1)
    ? 'Check the connection, then look in another tab whether it is there: saving again would create it a second time.'
    : 'Check the connection, then save again.';
  return {
    title: 'The server cannot be reached.',
    advice: `It is not known whether this was saved. ${advice} What you have typed is still here.`,
  };
}

/** The field that an error is about: the first segment of its pointer. */
function nameOf({ pointer }: FieldError): string {
  const [, first = ''] = pointer.split('/');
  return first.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** In words that need no knowledge of JSON. */
const plainMessages: Readonly<Record<string, string>> = { null_not_allowed: 'is required', missing: 'is required' };

/** The errors of a write: those of fields that its form has, and the others. */
function errorsOf({ errors = [], errors_omitted: omitted }: Problem, fields: ReadonlySet<string>): Errors {
  const atFields: { [field: string]: string } = {};
  const others: string[] = [];
  for (const error of errors) {
    const name = nameOf(error);
    const message = plainMessages[error.code] ?? error.message;
    if (!fields.has(name)) others.push(name === '' ? message : `${name}: ${message}`);
    else atFields[name] ??= message;
  }
  if (omitted !== undefined) others.push(`There are ${omitted} more errors.`);
  return { fields: atFields, others };
}

/** Whether a write was refused because the record is no longer the one that was read. */
export const isStale = (error: unknown): boolean =>
  error instanceof Refusal && error.problem.errors?.some(({ pointer }) => pointer === '/updated_at') === true;

export const isNotFound = (error: unknown): boolean => error instanceof Refusal && error.problem.status === 404;

/** The fields of the form that a write comes from. */
function fieldsOf(draft: Draft, { key }: Write): ReadonlySet<string> {
  const items = draft.items.find(({ rows }) => rows.some((row) => row.key === key));
  const resource = items?.resource ?? draft.resource;
  return new Set(editableFields(resource).map(({ name }) => name));
}

/** All that is wrong after a save has failed: what the server says, and what is known of the operations it did not come to. */
export function collectErrors(draft: Draft, plan: Plan, { failure }: Outcome<Write>): ReadonlyMap<string, Errors> {
  const all = new Map(plan.errors);
  const { operation, error } = failure ?? {};
  if (!operation || !(error instanceof Refusal) || error.problem.code !== 'invalid_body') return all;
  const said = errorsOf(error.problem, fieldsOf(draft, operation));
  const known = all.get(operation.key);
  return all.set(operation.key, { ...said, fields: { ...said.fields, ...known?.fields } });
}

/** Whether a failure is told by errors at fields alone. */
export const isToldByFields = (errors: ReadonlyMap<string, Errors>, { failure }: Outcome<Write>): boolean =>
  failure?.error instanceof Refusal &&
  failure.error.problem.code === 'invalid_body' &&
  [...errors.values()].some(({ fields, others }) => Object.keys(fields).length + others.length > 0);

export const isOfRecord = (write: Write | undefined): boolean => write?.key === recordKey;
