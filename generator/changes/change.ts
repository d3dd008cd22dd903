import type { Field, Resource } from '../model.ts';

/**
 * Whom a change can break. Creators and updaters send a body, readers take a record from an answer, callers use an
 * operation, links hold a URL, and typed clients are compiled against the names and types of the OpenAPI document.
 */
export type Affected = 'creators' | 'updaters' | 'readers' | 'callers' | 'links' | 'typed clients';

/** One difference between two specs, found by a rule. */
export interface Difference {
  /** Place and nature inside of the resource, like `website/removed`. */
  readonly at: string;
  /** Whom it breaks; nobody where it is safe. */
  readonly breaks: readonly Affected[];
  /** What is different and what follows from it: a sentence or more, in Markdown of one line. */
  readonly message: string;
}

/** Compares what one key says of a field; the places of what it finds are relative to the field. */
export type FieldRule = (before: Field, after: Field, resource: Resource) => readonly Difference[];

/**
 * One change of the API and its verdict.
 *
 * A change is breaking where a client that kept to the document can be refused, can get what the document ruled out, is
 * left without a URL, or no longer compiles. What a client has to put up with, so that an API can grow: new keys in
 * answers, new values of an enum, wider limits, ids that begin otherwise, keys in another order, and a default where
 * there was none. Who is not there is not broken: where no operation creates a record, no creator is.
 */
export interface ApiChange {
  /** Place and nature, as the base calls the place: `crm/competitor/website/removed`. The same for the same edit. */
  readonly id: string;
  /** The resource, by the key that the base has for it; undefined for the service. */
  readonly resource: string | undefined;
  readonly verdict: 'breaking' | 'safe';
  readonly affects: readonly Affected[];
  readonly message: string;
}

/** Makes a change of a difference; the place is a resource's key, or undefined for the service. */
export const changeOf = (resource: string | undefined, { at, breaks, message }: Difference): ApiChange => ({
  id: `${resource ?? 'service'}/${at}`,
  resource,
  verdict: breaks.length > 0 ? 'breaking' : 'safe',
  affects: breaks,
  message,
});

/** A safe difference. */
export const safe = (at: string, message: string): Difference => ({ at, breaks: [], message });

/** A difference that breaks these; safe where none of them is there. */
export const breaking = (at: string, breaks: readonly Affected[], message: string): Difference => ({
  at,
  breaks,
  message: breaks.length > 0 ? message : `${message} No client of the resource is affected.`,
});

/** An enum's value as a part of an id: what YAML or a path would read otherwise is percent-encoded. */
export const valueSegment = (value: string): string =>
  value.replaceAll(/[^\p{L}\p{N}._-]/gu, (character) => encodeURIComponent(character));
