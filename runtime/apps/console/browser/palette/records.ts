import { useEffect, useState } from 'preact/hooks';
import { type Page, statusOf } from '../api.ts';
import { atMost } from '../at-most.ts';
import type { Resource } from '../model.ts';
import { namingFields } from '../name.ts';
import { recentRecords } from '../recent.ts';
import { hintsOf, optionOf } from '../record/offer.ts';
import type { References, Session } from '../reference.ts';
import { hrefOf, navigate } from '../route.ts';
import { visibleAreas } from '../shell/places.ts';
import { texts } from '../texts.ts';
import { shorten } from '../text.ts';
import { textOf } from '../value-text.ts';
import { type Command, type Group, sharesWord } from './command.ts';

/** Milliseconds between two keystrokes of a word. */
const pause = 120;

/** So many records of each resource are shown. */
const maxShown = 5;

/** So many requests are under way at once: browsers have no more connections. */
const maxRequests = 6;

/** The records that were opened with the key, and that it may still read, once their names are known. */
export function useRecent({ key, model }: Session, references: References): readonly Command[] {
  const [, redraw] = useState({});
  const records = recentRecords(key.actor)
    .filter(({ route, id }) => hrefOf(route, id) !== location.hash)
    .slice(0, 8);
  useEffect(() => {
    void Promise.all(records.map(({ route, id }) => references.load(route, id))).then(() => redraw({}));
  }, []);
  return records.flatMap(({ route, id }) => {
    const { label, href } = references.target(route, id) ?? {};
    const resource = model.resources.get(route);
    if (label === undefined || href === undefined || !resource) return [];
    return { key: `recent ${route} ${id}`, label, hint: resource.title, run: () => navigate(href) };
  });
}

/** The records that a search has found in a resource; undefined if it has failed. */
type Found = readonly Command[] | undefined;

async function search(references: References, resource: Resource, text: string, signal: AbortSignal): Promise<Found> {
  const { path, route, columns, search: searched } = resource;
  // Other texts may be long.
  const found = columns.filter(({ name }) => searched.includes(name));
  const fields = [...namingFields(resource), ...hintsOf(resource), ...found].map(({ name }) => name);
  const query = new URLSearchParams({
    q: text,
    limit: String(maxShown),
    fields: [...new Set(['id', ...fields])].join(','),
  });
  try {
    const { data } = await references.api.get<Page>(`${path}?${query}`, signal);
    const names = await Promise.all(data.map((record) => references.nameOf(resource, record)));
    return data.map((record, at) => {
      const { label, hint } = optionOf(resource, record, names[at] as string);
      const values = found.map((field) => textOf(record[field.name], field));
      const reasons = values.filter((value) => sharesWord(value, text) && !label.includes(value));
      const href = hrefOf(route, String(record['id']));
      const whole = [...new Set([...reasons, hint])].filter((part) => part !== '').join(' · ');
      return { key: href, label, hint: shorten(whole, 60), run: () => navigate(href) };
    });
  } catch (error) {
    // A text without any word finds nothing.
    return statusOf(error) === 400 ? [] : undefined;
  }
}

/** The record with an id. */
const recordWithId = (resource: Resource, id: string): Group => {
  const href = hrefOf(resource.route, id);
  return { title: resource.title, commands: [{ key: href, label: id, run: () => navigate(href) }] };
};

/** The outcome of a search over all resources, as far as it is there. */
interface Search {
  readonly groups: readonly Group[];
  readonly isBusy: boolean;
  /** The lists that could not be searched. */
  readonly failed: readonly string[];
}

const nothing: Search = { groups: [], isBusy: false, failed: [] };

/** The records whose texts a search finds, by their resources, and the record with this id. Groups come in their order, so that few move others. */
export function useRecords(session: Session, references: References, text: string): Search {
  const resources = visibleAreas(session).flatMap((area) => area.resources);
  const named = resources.filter(({ kind, idForm }) => kind === 'record' && text !== '' && idForm.test(text));
  const [found, setFound] = useState({ text: '', outcomes: [] as readonly (Found | 'awaited')[] });
  const searched = resources.filter(({ kind, search: fields }) => kind === 'record' && fields.length > 0);
  useEffect(() => {
    if (text === '' || named.length > 0) return;
    const controller = new AbortController();
    const inTurn = atMost(maxRequests);
    const begin = (): void => {
      const outcomes: (Found | 'awaited')[] = searched.map(() => 'awaited');
      searched.forEach((resource, at) => {
        void inTurn(() => search(references, resource, text, controller.signal)).then((outcome) => {
          outcomes[at] = outcome;
          if (!controller.signal.aborted) setFound({ text, outcomes: [...outcomes] });
        });
      });
    };
    const timer = setTimeout(begin, pause);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [text]);
  if (text === '') return nothing;
  if (named.length > 0) return { ...nothing, groups: named.map((resource) => recordWithId(resource, text)) };
  const isLate = found.text !== text;
  const awaited = found.outcomes.indexOf('awaited');
  const outcomes = awaited < 0 ? found.outcomes : found.outcomes.slice(0, awaited);
  const groups = outcomes.map((outcome, at) => ({
    title: searched[at]?.plural ?? '',
    commands: Array.isArray(outcome) ? (outcome as readonly Command[]) : [],
    isLate,
  }));
  const failed = outcomes.flatMap((outcome, at) => (outcome === undefined ? [searched[at]?.plural ?? ''] : []));
  return { groups, isBusy: searched.length > 0 && (isLate || awaited >= 0), failed: isLate ? [] : failed };
}

/** The note below the entries: why there are none, or not all. */
export const noteOf = ({ isBusy, failed }: Search, isEmpty: boolean): string => {
  if (failed.length > 0) return texts.palette.failed(failed.join(', '));
  if (isBusy) return texts.palette.searching;
  return isEmpty ? texts.palette.nothing : '';
};
