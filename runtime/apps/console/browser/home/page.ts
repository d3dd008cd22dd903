import { html } from 'htm/preact';
import type { VNode } from 'preact';
import type { Session } from '../reference.ts';
import { hrefOf } from '../route.ts';
import { visibleAreas } from '../shell/places.ts';

/** All resources, by their areas. */
const Areas = ({ session }: { session: Session }): VNode =>
  html`<div class="home-areas">
    ${visibleAreas(session).map(
      ({ title, resources }) =>
        html`<section key=${title}>
          <h2>${title}</h2>
          <ul>
            ${resources.map(({ route, plural, doc }) => html`<li key=${route}><a href=${hrefOf(route)} title=${doc}>${plural}</a></li>`)}
          </ul>
        </section>`,
    )}
  </div>`;

/** The start page. */
export const Home = ({ session }: { session: Session }): VNode =>
  html`<div class="home">
    <h1 tabindex="-1">${session.model.title}</h1>
    <${Areas} session=${session} />
  </div>`;
