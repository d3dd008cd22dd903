import { html } from 'htm/preact';
import type { VNode } from 'preact';
import type { Key } from './access.ts';
import type { Model, Resource } from './model.ts';
import { visibleAreas } from './side-bar.ts';

/** The start page: all that there is, and what it is. */
export function Home({ model, apiKey }: { model: Model; apiKey: Key }): VNode {
  const card = ({ route, title, doc }: Resource): VNode =>
    html`<li key=${route}>
      <a href=${`#/${route}`}>
        <strong>${title}</strong>
        <span class="muted">${doc}</span>
      </a>
    </li>`;
  return html`<div class="home">
    <h1 tabindex="-1">${model.title}</h1>
    ${visibleAreas(model, apiKey).map(
      (area) =>
        html`<section key=${area.title}>
          <h2>${area.title}</h2>
          <ul class="cards">
            ${area.resources.map(card)}
          </ul>
        </section>`,
    )}
  </div>`;
}
