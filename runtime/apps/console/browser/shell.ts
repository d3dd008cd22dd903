import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { allows } from './api.ts';
import { isPageCovered } from './dialog.ts';
import { isTyping, useWindowEvent } from './events.ts';
import type * as activities from './history/activity.ts';
import type * as homes from './home/page.ts';
import { showHelp } from './keyboard-help.ts';
import { ListPage } from './list/page.ts';
import { Loaded, loadPart } from './loaded.ts';
import type { Resource } from './model.ts';
import { keepRecent } from './recent.ts';
import type * as pages from './record.ts';
import { References, ReferencesContext, type Session } from './reference.ts';
import { type Route, useRoute } from './route.ts';
import { Header } from './shell/header.ts';
import { activityOf, activityRoute } from './shell/places.ts';
import { SideBar } from './shell/side-bar.ts';
import { texts } from './texts.ts';
import { titleWindow } from './window-title.ts';

/** The page of a place. */
function Content({ session, route }: { session: Session; route: Route }): VNode {
  const { api, key: apiKey, model } = session;
  const resource = model.resources.get(route.resource);
  if (!resource && route.resource === '') {
    const load = (): Promise<typeof homes> => import('./home/page.ts');
    const show = ({ Home }: typeof homes): VNode => html`<${Home} session=${session} />`;
    return html`<${Loaded} key="home" ...${{ resource: { route: '', title: model.title }, load, show }} />`;
  }
  const activity = activityOf(session);
  if (!resource && activity && route.resource === activityRoute) {
    const load = (): Promise<typeof activities> => import('./history/activity.ts');
    const show = ({ Activity }: typeof activities): VNode =>
      html`<${Activity} session=${session} parameters=${route.query} />`;
    return html`<${Loaded} key=${activityRoute} ...${{ resource: activity, load, show }} />`;
  }
  if (!resource) return notHere(texts.shell.noResource(route.resource));
  const { route: name, kind } = resource;
  if (!allows(apiKey, name, 'read')) return notHere(texts.shell.notAllowed(`${name}:read`));
  const common = { resource, api, apiKey };
  if (kind === 'line-item') {
    const parentId = route.query.get('parent_id') ?? '';
    return recordPage(name, resource, ({ LineItemsPage }) => html`<${LineItemsPage} ...${{ ...common, parentId }} />`);
  }
  if (kind === 'record' && route.id === undefined)
    return html`<${ListPage} key=${name} ...${{ ...common, parameters: route.query }} />`;
  const id = route.id === 'new' ? undefined : route.id;
  const copyOf = route.query.get('copy') ?? undefined;
  const show = ({ RecordPage }: typeof pages): VNode => html`<${RecordPage} ...${{ ...common, id, copyOf }} />`;
  return recordPage(`${name} ${route.id} ${copyOf}`, resource, show);
}

/** A page of records, whose modules are loaded when the first of them is shown: they are half of the console. */
const recordPage = (key: string, resource: Resource, show: (loaded: typeof pages) => VNode): VNode =>
  html`<${Loaded} key=${key} ...${{ resource, load: () => import('./record.ts'), show }} />`;

const notHere = (text: string): VNode =>
  html`<div class="empty">
    <h1 tabindex="-1">${texts.shell.notHere}</h1>
    <p>${text}</p>
    <a class="button" href="#/">${texts.shell.toStart}</a>
  </div>`;

interface ShellProps {
  readonly session: Session;
  readonly signOut: () => Promise<void>;
}

/** The search over pages, actions and records, which few pages need: it is loaded when it is first wanted. */
async function search(props: ShellProps): Promise<void> {
  const loaded = await loadPart(() => import('./palette/palette.ts'));
  await loaded?.openPalette(props);
}

/** The keys that every page has. */
function useShellKeys(props: ShellProps, close: () => void): void {
  useWindowEvent('keydown', (event) => {
    if (event.key === 'Escape') close();
    const isFree = !event.defaultPrevented && !isPageCovered();
    const isCommand = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
    // A key that is held presses nothing on the page that it has led to.
    if (event.repeat && isCommand && event.key === 'Enter') event.preventDefault();
    if (isFree && isCommand && event.key.toLowerCase() === 'k') {
      event.preventDefault();
      void search(props);
    } else if (isFree && event.key === '?' && !isCommand && !event.altKey && !isTyping(event.target)) {
      event.preventDefault();
      void showHelp();
    }
  });
}

/** The frame of every page: side bar, header, and the page. */
export function Shell({ session, signOut }: ShellProps): VNode {
  const { key, model } = session;
  const route = useRoute();
  const resource = model.resources.get(route.resource);
  const page = route.resource === activityRoute ? activityOf(session) : resource;
  const [isOpen, setOpen] = useState(false);
  const main = useRef<HTMLElement>(null);
  const place = `${route.resource}/${route.id ?? ''}`;
  const title = resource && route.id === undefined ? resource.plural : page?.title;
  const references = useMemo(() => new References(session), [session, place]);
  const lastPlace = useRef(place);
  useEffect(() => {
    titleWindow(title, model.title);
    setOpen(false);
    if (resource?.kind === 'record' && route.id !== undefined && route.id !== 'new')
      keepRecent(key.actor, { route: resource.route, id: route.id });
    if (lastPlace.current === place) return;
    lastPlace.current = place;
    // A new page is read from its heading on, and a list that is gone back to from the row that it was left at.
    if (main.current?.querySelector('[data-index] :focus')) return;
    main.current?.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true });
    main.current?.scrollTo(0, 0);
  }, [place]);
  useShellKeys({ session, signOut }, () => setOpen(false));
  const skip = (event: Event): void => {
    event.preventDefault();
    main.current?.focus();
  };
  return html`<div class=${isOpen ? 'shell open' : 'shell'}>
    <a class="skip" href="#main" onClick=${skip}>${texts.shell.skip}</a>
    <${SideBar} session=${session} current=${route.resource} />
    <div class="curtain" onClick=${() => setOpen(false)}></div>
    <${Header} ...${{ session, route, isOpen, setOpen, search: () => void search({ session, signOut }), signOut }} />
    <main id="main" class="main" tabindex="-1" ref=${main}>
      <${ReferencesContext.Provider} value=${references}>
        <${Content} session=${session} route=${route} />
      <//>
    </main>
  </div>`;
}
