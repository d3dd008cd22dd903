import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { allows } from './access.ts';
import { Home } from './home.ts';
import { ListPage } from './list/page.ts';
import type { Resource } from './model.ts';
import { LaterLineItemsPage, LaterRecordPage, loadPages } from './lazy.ts';
import { navigate, type Route, useRoute } from './route.ts';
import type { Session } from './session.ts';
import { SideBar } from './side-bar.ts';
import { ThemeSwitch } from './theme-switch.ts';

interface ShellProps {
  readonly session: Session;
  readonly signOut: () => Promise<void>;
}

/** The page of a place. */
function Content({ session, route }: { session: Session; route: Route }): VNode {
  const { api, key, model } = session;
  const resource = model.resources.get(route.resource);
  if (!resource) {
    if (route.resource === '') return html`<${Home} ...${{ model, apiKey: key }} />`;
    return html`<${NotHere} text=${`There is no ${route.resource} in this service.`} />`;
  }
  if (!allows(key, resource.route, 'read')) {
    return html`<${NotHere}
      text=${`Your key may not see this. Ask your administrator for a key with the scope ${resource.route}:read.`}
    />`;
  }
  if (resource.kind === 'line_item') {
    const parentId = route.query.get('parent_id') ?? '';
    return html`<${LaterLineItemsPage} key=${resource.route} ...${{ resource, api, apiKey: key, parentId }} />`;
  }
  const isRecord = resource.kind === 'singleton' || route.id !== undefined;
  if (!isRecord)
    return html`<${ListPage} key=${resource.route} ...${{ resource, api, parameters: route.query, apiKey: key }} />`;
  const id = route.id === 'new' ? undefined : route.id;
  return html`<${LaterRecordPage}
    key=${`${resource.route} ${route.id}`}
    ...${{ model, resource, id, api, apiKey: key, navigate }}
  />`;
}

const NotHere = ({ text }: { text: string }): VNode =>
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
    ${resource && (leadsUp ? html`<a href=${`#/${resource.route}`}>${resource.title}</a>` : html`<span>${resource.title}</span>`)}
  </nav>`;
}

/** The frame of every page: side bar, header, and the page. */
export function Shell({ session, signOut }: ShellProps): VNode {
  const { key, model } = session;
  const route = useRoute();
  const resource = model.resources.get(route.resource);
  const [isOpen, setOpen] = useState(false);
  const main = useRef<HTMLElement>(null);
  const place = `${route.resource}/${route.id ?? ''}`;
  const lastPlace = useRef(place);
  useEffect(() => {
    document.title = [resource?.title, model.title].filter(Boolean).join(' · ');
    setOpen(false);
    if (lastPlace.current === place) return;
    lastPlace.current = place;
    // A new page is read from its heading on.
    main.current?.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true });
    main.current?.scrollTo(0, 0);
  }, [place]);
  useEffect(() => {
    if (!isOpen) return;
    const close = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') setOpen(false);
    };
    addEventListener('keydown', close);
    return () => removeEventListener('keydown', close);
  }, [isOpen]);
  useEffect(() => {
    // While nothing else is to be done, so that the first record opens at once.
    const timer = setTimeout(() => loadPages().catch(() => {}), 1_000);
    return () => clearTimeout(timer);
  }, []);
  const skip = (event: Event): void => {
    event.preventDefault();
    main.current?.focus();
  };
  return html`<div class=${isOpen ? 'shell open' : 'shell'}>
    <a class="skip" href="#main" onClick=${skip}>Skip to the content</a>
    <${SideBar} model=${model} apiKey=${key} current=${route.resource} />
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
      <${Content} session=${session} route=${route} />
    </main>
  </div>`;
}
