import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { favourites, type View } from '../list/views.ts';
import { recentRecords, type RecentRecord } from '../recent.ts';
import { ReferencesContext, type Session } from '../reference.ts';
import { hrefOf } from '../route.ts';
import { texts } from '../texts.ts';

/** So many records are shown. */
const maxRecords = 8;

const shelf = (title: string, entries: readonly VNode[]): VNode =>
  html`<section aria-label=${title}>
    <h2>${title}</h2>
    <ul class="home-shelf">
      ${entries}
    </ul>
  </section>`;

/** The lists that were kept as favourites. */
const Favourites = ({ session, lists }: { session: Session; lists: readonly View[] }): VNode =>
  shelf(
    texts.home.favourites,
    lists.map(
      ({ resource: route, name, parameters }) =>
        html`<li key=${`${route} ${name}`}>
          <a href=${hrefOf(route, undefined, new URLSearchParams(parameters))}>${name}</a>
          <span class="muted">${session.model.resources.get(route)?.plural}</span>
        </li>`,
    ),
  );

/** The records that were opened last in this browser, as far as they are still there. */
function Recent({ records }: { records: readonly RecentRecord[] }): VNode {
  const references = useContext(ReferencesContext);
  const [isLoaded, setLoaded] = useState(false);
  useEffect(() => {
    void Promise.all(records.map(({ route, id }) => references.load(route, id))).then(() => setLoaded(true));
  }, []);
  const entry = ({ route, id }: RecentRecord): VNode | undefined => {
    const { label = '…', href } = references.target(route, id) ?? {};
    if (isLoaded && href === undefined) return undefined;
    return html`<li key=${`${route} ${id}`}>
      ${href === undefined ? label : html`<a href=${href}><bdi>${label}</bdi></a>`}
      <span class="muted">${references.resourceOf(route)?.title}</span>
    </li>`;
  };
  return shelf(
    texts.palette.recent,
    records.flatMap((record) => entry(record) ?? []),
  );
}

/** The lists and records that this browser keeps: favourites, and those that were opened. */
export function Shelves({ session }: { session: Session }): VNode {
  const references = useContext(ReferencesContext);
  const records = recentRecords(session.key.actor).filter(({ route }) => references.resourceOf(route));
  const lists = favourites().filter(({ resource }) => references.resourceOf(resource));
  if (records.length + lists.length === 0) return html``;
  return html`<div class="home-kept">
    ${lists.length > 0 && html`<${Favourites} session=${session} lists=${lists} />`}
    ${records.length > 0 && html`<${Recent} records=${records.slice(0, maxRecords)} />`}
  </div>`;
}
