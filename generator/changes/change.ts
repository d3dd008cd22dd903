import { operationsOf, type ResourceOperation } from '../../runtime/kernel/model/operations.ts';
import type { Field, Resource } from '../model/model.ts';

/**
 * The groups of clients that a change can break. Creators and updaters send a body, readers read a response, callers use an
 * operation, links hold a URL, and typed clients are compiled against the names and types of the OpenAPI document.
 */
export type Affected = 'creators' | 'updaters' | 'readers' | 'callers' | 'links' | 'typed clients';

/** One difference between two specs, found by a rule. */
export interface Difference {
  /** The part of the resource and the kind of change, like `website/removed`. */
  readonly at: string;
  /** The clients that it breaks; empty where it is safe. */
  readonly breaks: readonly Affected[];
  /** The difference and its consequences: a sentence or more, in Markdown of one line. */
  readonly message: string;
}

/** Compares one key of a field; the `at` of its differences is relative to the field. */
export type FieldRule = (before: Field, after: Field, resource: Resource) => readonly Difference[];

/**
 * One change of the API and its verdict.
 *
 * A change is breaking where a client that follows the document can be refused, can get what the document ruled out, loses
 * a URL, or no longer compiles. Clients must accept, so that an API can grow: new keys in responses, new values of an enum,
 * wider limits, ids with another prefix, keys in another order, and a default where there was none. Groups that a
 * resource does not have are not affected: without a create operation there are no creators.
 */
export interface ApiChange {
  /** The part of the API, as the base names it, and the kind of change: `crm/competitor/website/removed`. */
  readonly id: string;
  /** The resource, by the key that the base has for it; undefined for the service. */
  readonly resource: string | undefined;
  readonly verdict: 'breaking' | 'safe';
  readonly affects: readonly Affected[];
  readonly message: string;
}

/** Makes a change of a difference; `resource` is a key, or undefined for the service. */
export const changeOf = (resource: string | undefined, { at, breaks, message }: Difference): ApiChange => ({
  id: `${resource ?? 'service'}/${at}`,
  resource,
  verdict: breaks.length > 0 ? 'breaking' : 'safe',
  affects: breaks,
  message,
});

/** A safe difference. */
export const safe = (at: string, message: string): Difference => ({ at, breaks: [], message });

/** A difference that only documents show. */
export const documented = (key: string, label: string): Difference =>
  safe(`${key}/changed`, `${label} changes in documents; requests and responses stay as they are.`);

/** A difference that breaks these clients; safe where there are none. */
export const breaking = (at: string, breaks: readonly Affected[], message: string): Difference => ({
  at,
  breaks,
  message: breaks.length > 0 ? message : `${message} No client of the resource is affected.`,
});

/** The entries of a list that another list does not have. */
export const without = (entries: readonly string[] = [], excluded: readonly string[] = []): string[] =>
  entries.filter((entry) => !excluded.includes(entry));

/** An enum's value as a part of an id: characters with a meaning in YAML or in a path are percent-encoded. */
export const valueSegment = (value: string): string =>
  value.replaceAll(/[^\p{L}\p{N}._-]/gu, (character) => encodeURIComponent(character));

/** The operations whose clients a change of bodies or responses can break; all other groups are always there. */
const groups: { readonly [A in Affected]?: (operation: Pick<ResourceOperation, 'body' | 'response'>) => boolean } = {
  creators: ({ body }) => body === 'create',
  updaters: ({ body }) => body === 'update',
  readers: ({ response }) => response !== 'deleted',
};

/** Filters the groups of clients that a change would break by those that a resource has. */
export type Present = (affected: readonly Affected[]) => readonly Affected[];

/** The clients of a resource both before and after a change. Losing an operation is a change of its own. */
export function presentIn(before: Resource, after: Resource): Present {
  const names = new Set(operationsOf(after).map(({ name }) => name));
  const kept = operationsOf(before).filter(({ name }) => names.has(name));
  const isPresent = (who: Affected): boolean => {
    const group = groups[who];
    return !group || kept.some(group);
  };
  return (affected) => affected.filter(isPresent);
}

/** The clients of a field that takes fewer values than before: readers get others, too, of older records. */
export const narrowedFor = (...fields: readonly Field[]): readonly Affected[] => ['readers', ...writersOf(...fields)];

/** The end of a message about such a field. */
export const olderValues = 'Older records keep their values, and readers get them; the next start names such records.';

/** The clients that send a field: a read-only one only in updates, which may repeat what was read. */
export const writersOf = (...fields: readonly Field[]): readonly Affected[] =>
  fields.some(({ readOnly }) => readOnly) ? ['updaters'] : ['creators', 'updaters'];
