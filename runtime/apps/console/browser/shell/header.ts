import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { controlKey } from '../keyboard-help.ts';
import type { Resource } from '../model.ts';
import type { Session } from '../reference.ts';
import { listHref, type Route } from '../route.ts';
import { texts } from '../texts.ts';
import { AccountMenu } from './account-menu.ts';

/** The area and the resource of a place. */
function Trail({ resource, id }: { resource: Resource | undefined; id: string | undefined }): VNode {
  const leadsUp = resource?.kind === 'record' && id !== undefined;
  return html`<nav class="trail" aria-label=${texts.shell.trail}>
    ${resource && html`<span class="muted">${resource.area}</span>`}
    ${
      resource &&
      (leadsUp
        ? html`<a href=${listHref(resource.route)}>${resource.plural}</a>`
        : html`<span>${resource.plural}</span>`)
    }
  </nav>`;
}

interface HeaderProps {
  readonly session: Session;
  readonly route: Route;
  /** Whether the side bar is open where it is not always shown. */
  readonly isOpen: boolean;
  readonly setOpen: (isOpen: boolean) => void;
  readonly search: () => void;
  readonly signOut: () => Promise<void>;
}

/** The bar above every page: its place, the search over all pages and records, and the menu of the key. */
export function Header({ session, route, isOpen, setOpen, search, signOut }: HeaderProps): VNode {
  const { key, model } = session;
  return html`<header class="header">
    <button
      class="icon-button menu"
      aria-label=${texts.shell.menu}
      aria-expanded=${isOpen}
      onClick=${() => setOpen(!isOpen)}
    >
      <svg viewBox="0 0 16 16" aria-hidden="true"><path d="M2 4h12M2 8h12M2 12h12" /></svg>
    </button>
    <${Trail} resource=${model.resources.get(route.resource)} id=${route.id} />
    <button
      type="button"
      class="button search-all"
      aria-haspopup="dialog"
      aria-keyshortcuts="Control+K Meta+K"
      onClick=${search}
    >
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <circle cx="7" cy="7" r="4.5" />
        <path d="m10.5 10.5 3.5 3.5" />
      </svg>
      <span>${texts.shell.searchAll}</span>
      <kbd aria-hidden="true">${controlKey('K')}</kbd>
    </button>
    <${AccountMenu} apiKey=${key} signOut=${signOut} />
  </header>`;
}
