import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { atMost } from '../at-most.ts';
import type { Reader } from '../api.ts';
import type { Resource } from '../model.ts';
import type { Session } from '../reference.ts';
import { hrefOf } from '../route.ts';
import { importInto } from '../shell/import-into.ts';
import { activityOf, mayCreate, visibleAreas } from '../shell/places.ts';
import { texts } from '../texts.ts';
import { Changes } from './changes.ts';
import { dueFields } from './due-fields.ts';
import { AllOverdue } from './overdue.ts';
import { Shelves } from './shelves.ts';
import { AllStates, countedStates } from './states.ts';

/** So many requests are under way at once: browsers have no more connections. */
const maxRequests = 6;

/** So many resources are proposed to begin with. */
const maxProposed = 6;

/** All resources, by their areas. */
const Areas = ({ session }: { session: Session }): VNode =>
  html`<section aria-label=${texts.home.everything}>
    <h2>${texts.home.everything}</h2>
    <div class="home-areas">
      ${visibleAreas(session).map(
        ({ title, resources }) =>
          html`<section key=${title}>
            <h3>${title}</h3>
            <ul>
              ${resources.map(
                ({ route, plural, doc }) =>
                  html`<li key=${route}><a href=${hrefOf(route)} title=${doc}>${plural}</a></li>`,
              )}
            </ul>
          </section>`,
      )}
    </div>
  </section>`;

/** The first steps in a service without records. */
function Begin({ session, creatable }: { session: Session; creatable: readonly Resource[] }): VNode {
  return html`<section aria-label=${texts.home.begin}>
    <h2>${texts.home.begin}</h2>
    <p class="muted">${creatable.length > 0 ? texts.home.howToBegin : texts.list.noneYet}</p>
    <ul class="home-begin">
      ${creatable.slice(0, maxProposed).map(
        (resource) =>
          html`<li key=${resource.route}>
            <a class="button" href=${hrefOf(resource.route, 'new')}>${texts.palette.create(resource.title)}</a>
            <button type="button" class="button quiet" onClick=${() => void importInto(session, resource)}>
              ${texts.palette.importInto(resource.plural)}
            </button>
          </li>`,
      )}
    </ul>
  </section>`;
}

/** The start page: overdue records, counts of states, the latest changes, and the ways to all lists. */
export function Home({ session }: { session: Session }): VNode {
  const resources = useMemo(() => visibleAreas(session).flatMap((area) => area.resources), [session]);
  const inTurn = useMemo(() => atMost(maxRequests), []);
  const api: Reader = { get: (path, signal) => inTurn(() => session.api.get(path, signal)) };
  const [totals, setTotals] = useState<ReadonlyMap<string, number>>(new Map());
  const onTotal = (key: string, total: number): void => setTotals((before) => new Map(before).set(key, total));
  const states = resources.flatMap(countedStates);
  const due = resources.flatMap(dueFields);
  const hasChanges = activityOf(session) !== undefined;
  const known = [...states.map(({ key }) => key), ...(hasChanges ? ['events'] : [])];
  const isEmpty = known.length > 0 && known.every((key) => totals.get(key) === 0);
  const creatable = resources.filter((resource) => mayCreate(session, resource));
  return html`<div class="home">
    <h1 tabindex="-1">${session.model.title}</h1>
    ${
      isEmpty
        ? html`<${Begin} session=${session} creatable=${creatable} />`
        : html`${due.length > 0 && html`<${AllOverdue} all=${due} api=${api} />`}
            ${states.length > 0 && html`<${AllStates} ...${{ all: states, api, onTotal }} />`}
            <div class="home-pair">
              ${hasChanges && html`<${Changes} ...${{ session, api, onTotal: (total: number) => onTotal('events', total) }} />`}
              <${Shelves} session=${session} />
            </div>`
    }
    <${Areas} session=${session} />
  </div>`;
}
