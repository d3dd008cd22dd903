import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Session } from '../reference.ts';
import { hrefOf } from '../route.ts';
import { texts } from '../texts.ts';
import { activityOf, visibleAreas } from './places.ts';

interface SideBarProps {
  readonly session: Session;
  /** The route of the page that is shown. */
  readonly current: string;
}

/** The resources of the service, by their areas. */
export function SideBar({ session, current }: SideBarProps): VNode {
  const bar = useRef<HTMLElement>(null);
  useEffect(() => bar.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' }), [current]);
  const entry = (route: string, title: string): VNode =>
    html`<li key=${route}>
      <a href=${hrefOf(route)} aria-current=${route === current ? 'page' : undefined}>${title}</a>
    </li>`;
  const activity = activityOf(session);
  return html`<nav class="side-bar" aria-label=${texts.shell.resources} ref=${bar}>
    <a class="brand" href="#/">${session.model.title}</a>
    ${
      activity &&
      html`<ul>
        ${entry(activity.route, activity.title)}
      </ul>`
    }
    ${visibleAreas(session).map(
      ({ title, resources }) =>
        html`<section key=${title}>
          <h2>${title}</h2>
          <ul>
            ${resources.map(({ route, plural }) => entry(route, plural))}
          </ul>
        </section>`,
    )}
  </nav>`;
}
