import type * as runtime from '../../runtime/index.ts';
import type { archiveOperations } from '../../runtime/features/archive/feature.ts';
import { maxListLimit } from '../../runtime/kernel/model/limits.ts';
import {
  type BodyName,
  type HandlerName,
  type Operation,
  type OperationName,
  operations,
  operationsOf,
  type ResourceOperation,
} from '../../runtime/kernel/model/operations.ts';
import { type Move, referencesOf, type Referrer, type Resource } from './model.ts';
import { camelCase, capitalize, listed, withArticle } from './names.ts';

export type FailureStatus = Operation['failures'][number] | 401 | 403 | 405 | 410 | 414 | 429 | 500 | 503;

/** The words of an operation of one resource. */
interface Texts {
  readonly summary: string;
  /** The sentence above the route, if it is not the summary. */
  readonly comment?: string;
  readonly description: string;
  readonly responseDoc: string;
}

/** The statuses of every operation under the service's path, beside its own. */
export const sharedStatuses = [401, 403, 429, 500, 503] as const;

/** One record, in a sentence. A title that is a plural already takes no article. */
const singular = ({ title, plural }: Resource): string => (title === plural ? title : withArticle(title));

/** One record, or the only one. */
const oneOrOnly = (resource: Resource): string =>
  resource.kind === 'singleton' ? `the ${resource.title}` : singular(resource);

/** Describes how a create treats fields that are not sent, and which of them it requires. */
function createDescription({ kind, parent, unique, rules }: Resource): string {
  const absent = 'A field that is not sent gets its default, or null.';
  const place = ' Without an `idx`, the item comes last.';
  const parentRule = parent?.resource === undefined ? '' : ' The parent must exist.';
  return (
    absent + (kind === 'line-item' ? place + parentRule : '') + uniqueDescription(unique) + rulesDescription(rules)
  );
}

/** Describes which values clash with those of other records, to follow a sentence. */
const uniqueDescription = (unique: Resource['unique']): string =>
  (unique ?? [])
    .map(({ fields, ignoreCase }) => {
      const names = fields.map((field) => `\`${field}\``).join(' and ');
      const without = ignoreCase ? ', without regard to case and accents' : '';
      return ` A record with the same ${names} as another${without} is refused with 409.`;
    })
    .join('');

/** Describes that a record must meet its rules, to follow a sentence. */
const rulesDescription = (rules: Resource['rules']): string =>
  rules.length === 0 ? '' : ' A record that would break a rule of `x-rules` is refused with 422 `rule_violated`.';

/** Describes what a delete deletes, and what keeps it from that. */
function deleteDescription({ kind, items, referrers }: Resource): string {
  const record = `the ${kind === 'line-item' ? 'item' : 'record'} for good`;
  const first = items.length > 0 ? `Deletes ${record}, together with its line items.` : `Deletes ${record}.`;
  const sentences = Object.entries(referrerWords).flatMap(([rule, words]) => {
    const fields = referrers
      .filter(({ onDelete }) => onDelete === rule)
      .map(({ key, field }) => `\`${field}\` of ${key}`)
      .toSorted();
    return fields.length === 0 ? [] : [words(listed(fields))];
  });
  return [first, ...sentences].join(' ');
}

const referrerWords: Readonly<Record<Referrer['onDelete'], (fields: string) => string>> = {
  restrict: (fields) => `It is refused with 409 if the record is named by ${fields}.`,
  set_null: (fields) => `It sets to null: ${fields}.`,
  cascade: (fields) => `It deletes the records that name it by ${fields} too.`,
};

type ArchiveOperation = (typeof archiveOperations)[number]['name'];

/** The words of each operation. A new one does not compile until it has its row. */
const texts: { readonly [O in OperationName | ArchiveOperation]: (resource: Resource) => Texts } = {
  list: ({ kind, plural }) =>
    kind === 'line-item'
      ? {
          summary: `List the ${plural} of a parent`,
          comment: `List the ${plural} of a parent, by idx.`,
          description:
            'Responds with a page of the items of one parent, ordered by `idx` and then by creation. A parent that does not exist has none.',
          responseDoc: 'A page.',
        }
      : {
          summary: `List ${plural}`,
          comment: `List ${plural}, newest first.`,
          description:
            'Responds with a page of the records that all filters find, the newest first unless `sort` asks for another order.',
          responseDoc: 'A page.',
        },
  create: (resource) => ({
    summary: `Create ${singular(resource)}`,
    description: createDescription(resource),
    responseDoc: 'The new record.',
  }),
  retrieve: (resource) => ({
    summary: `Retrieve ${oneOrOnly(resource)}`,
    description:
      resource.kind === 'singleton'
        ? 'Responds with the one record of its kind, which exists from the start.'
        : 'Responds with the record with this id.',
    responseDoc: 'The record.',
  }),
  update: (resource) => ({
    summary: `Update ${oneOrOnly(resource)}`,
    description:
      'Changes the fields that are sent; null clears an optional one. An update that changes nothing keeps `updated_at`.' +
      uniqueDescription(resource.unique) +
      rulesDescription(resource.rules),
    responseDoc: 'The record as it is now.',
  }),
  delete: (resource) => ({
    summary: `Delete ${singular(resource)}`,
    description: deleteDescription(resource),
    responseDoc: 'The record is gone.',
  }),
  archive: (resource) => ({
    summary: `Archive ${singular(resource)}`,
    description:
      'Sets `archived_at`. Lists leave the record out from then on unless they ask for it, and other writes of it and of its ' +
      'line items are refused with 409. It is still found by its id, and named by references.',
    responseDoc: 'The record as it is now.',
  }),
  unarchive: (resource) => ({
    summary: `Unarchive ${singular(resource)}`,
    description: 'Sets `archived_at` to null: lists show the record again, and writes change it.',
    responseDoc: 'The record as it is now.',
  }),
  reorder: ({ plural }) => ({
    summary: `Reorder the ${plural} of a parent`,
    description: `Gives 1 to ${maxListLimit} items of one parent a new \`idx\` each: all of them, or none. Others keep theirs.`,
    responseDoc: "The parent's list in its new order.",
  }),
};

const quotedName = (name: string): string => `\`${name}\``;

function transitionTexts(
  resource: Resource,
  { name, field, from, to, requires, set = {}, input = [], rule }: Move,
): Texts {
  const summary = `${capitalize(name.replaceAll('-', ' '))} ${singular(resource)}`;
  const states = from.map(quotedName).join(' or ');
  return {
    summary,
    comment:
      to === undefined
        ? `${summary}: ${field} stays ${from.join(' or ')}.`
        : `${summary}: ${field} from ${from.join(' or ')} to ${to}.`,
    description:
      (to === undefined
        ? `Keeps \`${field}\`, which must be ${states}; from any other state it is refused with 409.`
        : `Moves \`${field}\` from ${states} to \`${to}\`. From any other state it is refused with 409. Of several at once, one succeeds.`) +
      (requires ? ` Without a value of ${listed(requires.map(quotedName))} it is refused with 422.` : '') +
      (Object.keys(set).length > 0 ? ` It sets ${listed(Object.keys(set).map(quotedName))}.` : '') +
      (rule ? ` It is refused with 422 unless \`${rule.that.text}\`.` : '') +
      (input.length > 0 ? ' An input that is not sent gets its default, or null.' : '') +
      rulesDescription(resource.rules),
    responseDoc: 'The record as it is now.',
  };
}

/** One method of one path: an operation or a transition of a resource. */
export interface Endpoint extends ResourceOperation<Move>, Required<Texts> {
  /** The name in camelCase: clients have it, and the operation id begins with it. */
  readonly property: string;
  readonly handler: HandlerName & keyof typeof runtime;
}

/** The name of an operation in the OpenAPI document, by which generated clients call it. */
export const operationIdOf = ({ pluralType }: Resource, type: string, { property, response }: Endpoint): string =>
  property + (response === 'list' ? pluralType : type);

/** Whether other records or the state can prevent an operation: a parent, a referenced one, one that references it, one with the same values. */
function mayConflict(resource: Resource, { name, method, body }: ResourceOperation<Move>): boolean {
  const { kind, parent, unique, lock, archive, referrers } = resource;
  if (method !== 'GET' && (parent?.canLock || ((lock || archive) && body !== 'create'))) return true;
  if (name === 'delete') return referrers.length > 0;
  if (body === 'create' && kind === 'line-item') return true;
  const dependsOnOthers = unique !== undefined || parent?.table !== undefined || referencesOf(resource).length > 0;
  return dependsOnOthers && (body === 'create' || body === 'update');
}

/** The endpoints of a resource, in the order in which they are printed. */
export const endpointsOf = (resource: Resource): Endpoint[] =>
  operationsOf(resource).map((operation) => {
    const { name, transition } = operation;
    const words = transition ? transitionTexts(resource, transition) : texts[name as keyof typeof texts](resource);
    const failures = mayConflict(resource, operation)
      ? [...new Set([...operation.failures, 409 as const])].toSorted((a, b) => a - b)
      : operation.failures;
    return { ...operation, failures, property: camelCase(name), comment: `${words.summary}.`, ...words };
  });

/** Whether an operation takes the parameters of a list: filters, the order, a search. */
export const isList = ({ method, response }: Pick<Operation, 'method' | 'response'>): boolean =>
  method === 'GET' && response === 'list';

/** Whether an operation reads one record, and so takes `If-None-Match`. */
export const isRetrieve = ({ method, response }: Pick<Operation, 'method' | 'response'>): boolean =>
  method === 'GET' && response === 'record';

/** Whether the function that makes the handler takes the name of the operation: others make that of one alone. */
export const isNamed = ({ handler }: Pick<Operation, 'handler'>): boolean =>
  handler === 'change' || handler === 'changeWith';

/** The message about an operation that responds with the list, for a resource that has none; undefined for any other. */
export const whyList = (name: OperationName): string | undefined =>
  operations[name].response === 'list' && !isList(operations[name])
    ? `${name} responds with the list and needs the operation list`
    : undefined;

/** Whether one of a resource's operations takes the body. */
export const takes = (resource: Resource, name: BodyName): boolean =>
  operationsOf(resource).some(({ body }) => body === name);

/** Whether one of a resource's operations is a list. */
export const isListed = ({ operations: names }: Pick<Resource, 'operations'>): boolean =>
  names.some((name) => isList(operations[name]));

/** Whether one of a resource's operations responds with this. */
export const responds = (resource: Resource, response: Operation['response']): boolean =>
  operationsOf(resource).some((operation) => operation.response === response);
