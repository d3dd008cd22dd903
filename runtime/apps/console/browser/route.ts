import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { closeModals, confirmDialog } from './dialog.ts';
import { texts } from './texts.ts';

/**
 * A place in the console. It is the fragment of the URL, so that one page serves all of them behind any prefix, and no server
 * logs what was looked for: `#/crm/lead?status=Open` is a list, `#/crm/lead/lead_01M7…` a record, `#/crm/lead/new` a new one.
 */
export interface Route {
  /** The route of a resource, like `crm/lead`; empty for the start page. */
  readonly resource: string;
  /** The id of a record, or `new`. */
  readonly id: string | undefined;
  readonly query: URLSearchParams;
}

interface NavigateOptions {
  /** Takes the place of the current entry of the history. */
  readonly replace?: boolean;
  /** Leaves unsaved changes without asking, as after they were saved. */
  readonly force?: boolean;
}

/** The URL of a place. */
export function hrefOf(resource: string, id?: string, query?: URLSearchParams): string {
  const search = query?.toString();
  return `#/${resource}${id === undefined ? '' : `/${encodeURIComponent(id)}`}${search ? `?${search}` : ''}`;
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    // No id has such a form: the server says that there is none.
    return segment;
  }
}

/** Reads a fragment. */
function parseRoute(hash: string): Route {
  const [path = '', search = ''] = hash.replace(/^#\/?/, '').split(/\?(.*)/s);
  const [area, name, id] = path.split('/');
  return {
    resource: area && name ? `${area}/${name}` : (area ?? ''),
    id: id ? decode(id) : undefined,
    query: new URLSearchParams(search),
  };
}

/** A list that led to a place. */
interface Passed {
  readonly resource: string;
  /** Its URL: its filters, order and page. */
  readonly href: string;
  /** The position of its entry of the history. */
  readonly position: number;
}

/** The state of an entry of the history. It outlives a reload, and no shared link has it. */
interface Entry {
  /** Its place in the history, so that going away from unsaved changes can be undone. */
  readonly position: number;
  /** The lists that led to it, one of a resource, the last one at the end. */
  readonly lists?: readonly Passed[] | undefined;
}

/** So many lists are remembered. */
const maxLists = 10;

/** Position of the current entry. */
let position = 0;

const entryOf = (state: unknown): Partial<Entry> => (typeof state === 'object' && state !== null ? state : {});

const listsHere = (): readonly Passed[] => entryOf(history.state).lists ?? [];

/** The URL of the list of a resource: as it led to the current record, or from its beginning. */
export const listHref = (resource: string): string =>
  listsHere().find((list) => list.resource === resource)?.href ?? hrefOf(resource);

/** The URL of the list that led to the current record, which may be of another resource; or that of its own. */
export const backHref = (resource: string): string => listsHere().at(-1)?.href ?? hrefOf(resource);

/** The lists that the entry of a place leads back to. */
function listsBehind(href: string): readonly Passed[] {
  const [current, next] = [parseRoute(location.hash), parseRoute(href)];
  const left = { resource: current.resource, href: location.hash, position };
  const isLeft = current.id === undefined && current.resource.includes('/') && next.resource !== '';
  const lists = isLeft ? [...listsHere().filter(({ resource }) => resource !== current.resource), left] : listsHere();
  const isList = next.id === undefined;
  return lists.filter(({ resource }) => !(isList && resource === next.resource)).slice(-maxLists);
}

/** The part of a list that was seen when it was left. */
interface ListPlace {
  /** Pixels above what was seen. */
  readonly scroll: number;
  /** The id of the record whose row had the focus, and its place among the rows, from 0. */
  readonly id?: string | undefined;
  readonly index?: number | undefined;
}

const placeName = (at: number): string => `console-place ${at}`;

/** Reads the place of the list that is shown. */
let readPlace: (() => ListPlace) | undefined;

function keepPlace(): void {
  if (readPlace) sessionStorage.setItem(placeName(position), JSON.stringify(readPlace()));
}

/** A list that is gone back to, by whatever way, begins with the place that it had when it was left. */
function copyPlace(href: string, to: number): void {
  const passed = listsHere().find((list) => list.href === href);
  const place = passed && sessionStorage.getItem(placeName(passed.position));
  if (place) sessionStorage.setItem(placeName(to), place);
  else sessionStorage.removeItem(placeName(to));
}

/** The place of the list at the current entry of the history when it was left; undefined if it is new. */
export function placeHere(): ListPlace | undefined {
  const place = sessionStorage.getItem(placeName(position));
  return place === null ? undefined : (JSON.parse(place) as ListPlace);
}

/** Has `read` tell the place of a list whenever it is left. */
export function useKeptPlace(read: () => ListPlace): void {
  const latest = useRef(read);
  latest.current = read;
  useLayoutEffect(() => {
    const reader = (): ListPlace => latest.current();
    readPlace = reader;
    return () => {
      if (readPlace === reader) readPlace = undefined;
    };
  }, []);
}

/** Components with unsaved changes. */
const guards = new Set<object>();

const listeners = new Set<() => void>();

function publish(): void {
  closeModals();
  for (const listener of listeners) listener();
}

/** Asks where there are unsaved changes. @returns whether they may be lost */
export async function mayLeave(): Promise<boolean> {
  if (guards.size === 0) return true;
  const leave = await confirmDialog({
    title: texts.record.discardQuestion,
    text: texts.record.discardText,
    action: texts.record.discard,
    cancel: texts.record.keepEditing,
  });
  if (leave) guards.clear();
  return leave;
}

/** Goes to a place, like `hrefOf` makes it; asks first where changes would be lost. */
export async function navigate(href: string, { replace = false, force = false }: NavigateOptions = {}): Promise<void> {
  if (force) guards.clear();
  if (!replace && !(await mayLeave())) return;
  const lists = listsBehind(href);
  if (!replace) {
    keepPlace();
    position++;
  }
  copyPlace(href, position);
  if (replace) history.replaceState({ position, lists } satisfies Entry, '', href);
  else history.pushState({ position, lists } satisfies Entry, '', href);
  publish();
}

/** Milestones of one history walk that is being undone, or done again. */
let walking = false;

async function onPopState({ state }: PopStateEvent): Promise<void> {
  if (walking) {
    walking = false;
    return;
  }
  // An entry without a position is new: the user has edited the URL.
  const { position: target = position + 1 } = entryOf(state);
  if (guards.size > 0) {
    const distance = target - position;
    walking = true;
    history.go(-distance);
    if (!(await mayLeave())) return;
    history.go(distance);
    return;
  }
  keepPlace();
  position = target;
  history.replaceState({ ...entryOf(state), position } satisfies Entry, '');
  publish();
}

/** Follows the history and the links of the page. Called once. */
export function startRouting(): void {
  const entry = entryOf(history.state);
  position = entry.position ?? 0;
  history.replaceState({ ...entry, position } satisfies Entry, '');
  addEventListener('popstate', (event) => void onPopState(event));
  addEventListener('pagehide', keepPlace);
  addEventListener('beforeunload', (event) => {
    if (guards.size > 0) event.preventDefault();
  });
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    const href = link?.getAttribute('href');
    const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
    if (!href?.startsWith('#/') || !isPlain || event.defaultPrevented) return;
    event.preventDefault();
    void navigate(href);
  });
}

/** The current place. */
export function useRoute(): Route {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const listener = (): void => setHash(location.hash);
    listeners.add(listener);
    listener();
    return () => void listeners.delete(listener);
  }, []);
  return parseRoute(hash);
}

/** Asks before the page is left while there are unsaved changes. */
export function useGuard(hasUnsavedChanges: boolean): void {
  // Before anything else is pressed.
  useLayoutEffect(() => {
    if (!hasUnsavedChanges) return;
    const guard = {};
    guards.add(guard);
    return () => void guards.delete(guard);
  }, [hasUnsavedChanges]);
}
