import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { allows, type Key } from './access.ts';
import type { Area, Model, Resource } from './model.ts';

/** Whether it has a page of its own: line items of a record of this service are on the page of that. */
const hasPage = ({ kind, parent }: Resource): boolean => kind !== 'line_item' || parent?.path === undefined;

/** The areas and the resources in them that a key may see. */
export const visibleAreas = ({ areas }: Model, key: Key): readonly Area[] =>
  areas
    .map(({ title, resources }) => ({
      title,
      resources: resources.filter((one) => hasPage(one) && allows(key, one.route, 'read')),
    }))
    .filter(({ resources }) => resources.length > 0);

interface SideBarProps {
  readonly model: Model;
  readonly apiKey: Key;
  /** The route of the resource that is shown. */
  readonly current: string;
}

/** The resources of the service. */
export function SideBar({ model, apiKey, current }: SideBarProps): VNode {
  const bar = useRef<HTMLElement>(null);
  useEffect(() => bar.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' }), [current]);
  const entry = ({ route, title }: Resource): VNode =>
    html`<li key=${route}>
      <a href=${`#/${route}`} aria-current=${route === current ? 'page' : undefined}>${title}</a>
    </li>`;
  return html`<nav class="side-bar" aria-label="Resources" ref=${bar}>
    <a class="brand" href="#/">${model.title}</a>
    ${visibleAreas(model, apiKey).map(
      ({ title, resources }) =>
        html`<section key=${title}>
          <h2>${title}</h2>
          <ul>
            ${resources.map(entry)}
          </ul>
        </section>`,
    )}
  </nav>`;
}
