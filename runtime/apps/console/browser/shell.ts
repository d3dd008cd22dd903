import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { allows } from './api.ts';
import { useWindowEvent } from './events.ts';
import type * as activities from './history/activity.ts';
import { ListPage } from './list/page.ts';
import { Loaded } from './loaded.ts';
import type { Area, Resource } from './model.ts';
import type * as pages from './record.ts';
import { References, ReferencesContext, type Session } from './reference.ts';
import { listHref, type Route, useRoute } from './route.ts';
import { ThemeSwitch } from './theme.ts';

/** The page of what was written lately, in all resources. */
const activity = { route: 'activity', title: 'Activity' };

/** Whether it has a page of its own: line items of a record of this service are on the page of that. */
const hasPage = ({ kind, parent }: Resource): boolean => kind !== 'line-item' || parent?.path === undefined;

/** The areas and the resources in them that a key may see. */
const visibleAreas = ({ model, key }: Session): readonly Area[] =>
  model.areas
    .map(({ title, resources }) => ({
      title,
      resources: resources.filter((resource) => hasPage(resource) && allows(key, resource.route, 'read')),
    }))
    .filter(({ resources }) => resources.length > 0);

interface AreasProps {
  readonly session: Session;
  readonly list?: string;
  readonly entry: (resource: Resource) => VNode;
}

const Areas = ({ session, list, entry }: AreasProps): VNode =>
  html`${visibleAreas(session).map(
    ({ title, resources }) =>
      html`<section key=${title}>
        <h2>${title}</h2>
        <ul class=${list}>
          ${resources.map((resource) => html`<li key=${resource.route}>${entry(resource)}</li>`)}
        </ul>
      </section>`,
  )}`;

/** The resources of the service. @param current the route of the resource that is shown */
function SideBar({ session, current }: { session: Session; current: string }): VNode {
  const bar = useRef<HTMLElement>(null);
  useEffect(() => bar.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' }), [current]);
  const entry = ({ route, plural }: Resource): VNode =>
    html`<a href=${`#/${route}`} aria-current=${route === current ? 'page' : undefined}>${plural}</a>`;
  return html`<nav class="side-bar" aria-label="Resources" ref=${bar}>
    <a class="brand" href="#/">${session.model.title}</a>
    ${
      allows(session.key, 'events', 'read') &&
      html`<ul>
        <li>
          <a href=${`#/${activity.route}`} aria-current=${current === activity.route ? 'page' : undefined}>Activity</a>
        </li>
      </ul>`
    }
    <${Areas} session=${session} entry=${entry} />
  </nav>`;
}

/** The start page: all that there is, and what it is. */
function Home({ session }: { session: Session }): VNode {
  const entry = ({ route, plural, doc }: Resource): VNode =>
    html`<a href=${`#/${route}`}><strong>${plural}</strong><span class="muted">${doc}</span></a>`;
  return html`<div class="home">
    <h1 tabindex="-1">${session.model.title}</h1>
    <${Areas} session=${session} list="cards" entry=${entry} />
  </div>`;
}

/** The page of a place. */
function Content({ session, route }: { session: Session; route: Route }): VNode {
  const { api, key: apiKey, model } = session;
  const resource = model.resources.get(route.resource);
  if (!resource && route.resource === '') return html`<${Home} session=${session} />`;
  if (!resource && route.resource === activity.route && allows(apiKey, 'events', 'read')) {
    const load = (): Promise<typeof activities> => import('./history/activity.ts');
    const show = ({ Activity }: typeof activities): VNode =>
      html`<${Activity} session=${session} parameters=${route.query} />`;
    return html`<${Loaded} ...${{ resource: activity, load, show }} />`;
  }
  if (!resource) return notHere(`There is no ${route.resource} in this service.`);
  const { route: name, kind } = resource;
  if (!allows(apiKey, name, 'read')) {
    return notHere(`Your key may not see this. Ask your administrator for a key with the scope ${name}:read.`);
  }
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
    <h1 tabindex="-1">Not here</h1>
    <p>${text}</p>
    <a class="button" href="#/">Go to the start page</a>
  </div>`;

/** The area and the resource of a place. */
function Trail({ resource, id }: { resource: Resource | undefined; id: string | undefined }): VNode {
  const leadsUp = resource?.kind === 'record' && id !== undefined;
  return html`<nav class="trail" aria-label="Breadcrumb">
    ${resource && html`<span class="muted">${resource.area}</span>`}
    ${resource && (leadsUp ? html`<a href=${listHref(resource.route)}>${resource.plural}</a>` : html`<span>${resource.plural}</span>`)}
  </nav>`;
}

/** The frame of every page: side bar, header, and the page. */
export function Shell({ session, signOut }: { session: Session; signOut: () => Promise<void> }): VNode {
  const { key, model } = session;
  const route = useRoute();
  const resource = model.resources.get(route.resource);
  const page = route.resource === activity.route ? activity : resource;
  const [isOpen, setOpen] = useState(false);
  const main = useRef<HTMLElement>(null);
  const place = `${route.resource}/${route.id ?? ''}`;
  const title = resource && route.id === undefined ? resource.plural : page?.title;
  const references = useMemo(() => new References(session), [session, place]);
  const lastPlace = useRef(place);
  useEffect(() => {
    document.title = [title, model.title].filter(Boolean).join(' · ');
    setOpen(false);
    if (lastPlace.current === place) return;
    lastPlace.current = place;
    // A new page is read from its heading on.
    main.current?.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true });
    main.current?.scrollTo(0, 0);
  }, [place]);
  useWindowEvent('keydown', (event) => {
    if (event.key === 'Escape') setOpen(false);
  });
  const skip = (event: Event): void => {
    event.preventDefault();
    main.current?.focus();
  };
  return html`<div class=${isOpen ? 'shell open' : 'shell'}>
    <a class="skip" href="#main" onClick=${skip}>Skip to the content</a>
    <${SideBar} session=${session} current=${route.resource} />
    <div class="curtain" onClick=${() => setOpen(false)}></div>
    <header class="header">
      <button class="icon-button menu" aria-label="Menu" aria-expanded=${isOpen} onClick=${() => setOpen(!isOpen)}>
        <svg viewBox="0 0 16 16" aria-hidden="true"><path d="M2 4h12M2 8h12M2 12h12" /></svg>
      </button>
      <${Trail} resource=${resource} id=${route.id} />
      <${ThemeSwitch} />
      <span class="who muted" title=${`Organization ${key.organization}`}><bdi>${key.name}</bdi></span>
      <button class="button quiet" onClick=${() => void signOut()}>Sign out</button>
    </header>
    <main id="main" class="main" tabindex="-1" ref=${main}>
      <${ReferencesContext.Provider} value=${references}>
        <${Content} session=${session} route=${route} />
      <//>
    </main>
  </div>`;
}
