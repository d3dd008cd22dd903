import { useContext, useEffect, useState } from 'preact/hooks';
import { messageOf, type Page, type RecordData } from '../api.ts';
import { textOf } from '../value-text.ts';
import type { Field, Resource } from '../model.ts';
import { namingFields } from '../name.ts';
import { type References, ReferencesContext } from '../reference.ts';
import { shorten, wholeNumber } from '../text.ts';
import { texts } from '../texts.ts';

/** So many records are offered at a time, and looked through if their list has no search. */
const maxOffered = 20;
const maxLookedThrough = 1000;

/** Milliseconds between two keystrokes of a word. */
const pause = 150;

/** A record, as it is offered. */
export interface Option {
  readonly record: RecordData;
  readonly label: string;
  /** Other values, which tell apart records of the same name. */
  readonly hint: string;
}

/** The records that a text may mean. */
export interface Offer {
  readonly options: readonly Option[];
  /** A text below them, about those that are not shown. */
  readonly note: string;
  /** Whether a newer offer, for the text as it is now, is on its way. */
  readonly isLate: boolean;
}

/** The fields of short values that lists show beside the name. */
export const hintsOf = (resource: Resource): readonly Field[] => {
  const names = namingFields(resource);
  const details = resource.columns.filter((field) => !names.includes(field) && !field.references);
  return details.filter(({ maxLength = 0 }) => maxLength <= 300).slice(0, 2);
};

/** The request for the records that a text may mean: those that a search finds, the one with this id, or the newest. */
function requestFor(resource: Resource, text: string): string {
  const { path, search, idForm } = resource;
  const fields = ['id', ...[...namingFields(resource), ...hintsOf(resource)].map(({ name }) => name)].join(',');
  const limit = String(search.length > 0 ? maxOffered : maxLookedThrough);
  const query = new URLSearchParams({ fields, limit });
  if (idForm.test(text)) query.set('id', text);
  else if (search.length > 0 && text !== '') query.set('q', text);
  return `${path}?${query}`;
}

/** A record as it is offered. */
export function optionOf(resource: Resource, record: RecordData, label: string): Option {
  const values = hintsOf(resource).map((field) => textOf(record[field.name], field));
  const hint = shorten(values.filter((value) => value !== '').join(' · '), 60);
  return { record, label, hint };
}

/** A request, and the page of its response; empty if it has failed. */
interface Search {
  readonly request: string;
  readonly page: Page;
  /** The names of its records. */
  readonly names: readonly string[];
  readonly problem?: string;
}

async function find(
  references: References,
  resource: Resource,
  request: string,
  signal?: AbortSignal,
): Promise<Search> {
  try {
    const page = await references.api.get<Page>(request, signal);
    const names = await Promise.all(page.data.map((record) => references.nameOf(resource, record)));
    return { request, page, names };
  } catch (error) {
    return { request, page: { data: [], total: 0, has_more: false }, names: [], problem: messageOf(error) };
  }
}

function offerOf(resource: Resource, { request, page: { data, total }, names, problem }: Search, text: string): Offer {
  const isFound = resource.search.length > 0 || resource.idForm.test(text);
  const all = data.map((record, at) => optionOf(resource, record, names[at] as string));
  const matching = isFound ? all : all.filter(({ label }) => label.toLowerCase().includes(text.toLowerCase()));
  const options = matching.slice(0, maxOffered);
  const notes = [
    options.length === 0 && texts.field.noneFound(resource.title),
    options.length < (isFound ? total : matching.length) && texts.field.typeToFind,
    !isFound && total > data.length && texts.field.newestOf(wholeNumber(data.length), texts.counts.records(total)),
  ];
  const note = problem ?? notes.filter(Boolean).join(' ');
  return { options, note, isLate: request !== requestFor(resource, text) };
}

/** The records that a text may mean; none as long as there is no text. */
export function useOffer(resource: Resource, text: string | undefined): Offer | undefined {
  const references = useContext(ReferencesContext);
  const [search, setSearch] = useState<Search>();
  const request = text === undefined ? undefined : requestFor(resource, text);
  useEffect(() => {
    if (request === undefined || search?.request === request) return;
    const controller = new AbortController();
    const { signal } = controller;
    const show = (next: Search): void => void (signal.aborted || setSearch(next));
    const timer = setTimeout(
      () => void find(references, resource, request, signal).then(show),
      text === '' ? 0 : pause,
    );
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [request]);
  return text === undefined || !search ? undefined : offerOf(resource, search, text);
}

/** The only record that a text may mean, or the only one of this name. */
export async function meantBy(
  references: References,
  resource: Resource,
  text: string,
): Promise<RecordData | undefined> {
  return meantOf(offerOf(resource, await find(references, resource, requestFor(resource, text)), text), text);
}

/** The only record of an offer, or the only one of this name. */
export function meantOf({ options }: Offer, text: string): RecordData | undefined {
  const exact = options.filter(({ label }) => label.toLowerCase() === text.toLowerCase());
  const [first, ...rest] = exact.length > 0 ? exact : options;
  return rest.length === 0 ? first?.record : undefined;
}
