import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import type { Page, RecordData } from '../api.ts';
import { useLoading } from '../loading.ts';
import type { Field, Resource } from '../model.ts';
import { RecordLink, RecordName, ReferencesContext } from '../reference.ts';
import { hrefOf } from '../route.ts';
import { titleOf, wholeNumber } from '../text.ts';
import { texts } from '../texts.ts';

/** The records of a resource whose field names this one, as requests and links find them. */
interface Naming {
  readonly resource: Resource;
  readonly field: Field;
  readonly id: string;
}

const filterOf = ({ field, id }: Naming): URLSearchParams => new URLSearchParams({ [field.name]: id });

/** A page of what a request reads, once it is there. The list says what is wrong, if anything is. */
function usePage(request: string, pageOf = (body: Page): Page | undefined => body): Page | undefined {
  const { api } = useContext(ReferencesContext);
  return useLoading(async (signal) => pageOf(await api.get<Page>(request, signal))).value;
}

const Count = ({ page }: { page: Page | undefined }): VNode =>
  html`<span class="count">${page === undefined ? '' : wholeNumber(page.total)}</span>`;

/** A list, of those records whose field names this one. */
function ListLink(naming: Naming): VNode {
  const { resource, field } = naming;
  const filter = filterOf(naming);
  const page = usePage(`${resource.path}?${filter}&limit=1&fields=id`);
  return html`<li>
    <a href=${hrefOf(resource.route, undefined, filter)}>
      ${resource.plural} <span class="muted">${texts.record.as(field.title)}</span>
      <${Count} page=${page} />
    </a>
  </li>`;
}

/** So many records are shown of a list that has a name here. */
const maxShown = 10;

/** The newest records of a list that has a name here. @param owner the resource of the record that they name */
function Inverse(props: Naming & { owner: Resource }): VNode {
  const { resource, field, id, owner } = props;
  const name = field.inverse ?? '';
  const isItem = resource.kind === 'line-item';
  const filter = filterOf(props);
  const page = isItem
    ? usePage(`${owner.path}/${id}?fields=id&expand=${name}`, (body) => (body as unknown as Record<string, Page>)[name])
    : usePage(`${resource.path}?${filter}&limit=${maxShown}`);
  const title = titleOf(name);
  return html`<section class="fields" aria-label=${title}>
    <h2>
      ${isItem ? title : html`<a href=${hrefOf(resource.route, undefined, filter)}>${title}</a>`}${' '}
      <${Count} page=${page} />
    </h2>
    ${page?.total === 0 && html`<p class="muted none-yet">${texts.record.noneYet}</p>`}
    <ul class="referenced-by">
      ${page?.data.slice(0, maxShown).map((record) => html`<li key=${record['id']}><${NamingRecord} ...${{ resource, record }} /></li>`)}
    </ul>
  </section>`;
}

/** The way to a record that names this one; of a line item, to its parent. */
function NamingRecord({ resource, record }: { resource: Resource; record: RecordData }): VNode {
  const references = useContext(ReferencesContext);
  const { parent } = resource;
  if (!parent) {
    references.learn(resource, record);
    return html`<${RecordLink} route=${resource.route} id=${record['id']} />`;
  }
  const owner = references.resourceAt(parent.path);
  return html`<${RecordName}
      ...${{ resource, record }}
    />${owner && html` <span class="muted">${texts.record.in}</span> <${RecordLink} route=${owner.route} id=${record[parent.field]} />`}`;
}

/** The records that name this one: lists that have a name here, and ways to the others. */
export function ReferencedBy({ resource, id }: { resource: Resource; id: string }): VNode {
  const all = useContext(ReferencesContext)
    .listsNaming(resource)
    .map(([other, field]) => ({ key: `${other.route} ${field.name}`, resource: other, field, id }));
  const others = all.filter(({ field }) => field.inverse === undefined);
  return html`${all
    .filter((naming) => !others.includes(naming))
    .map((naming) => html`<${Inverse} ...${naming} owner=${resource} />`)}
  ${
    others.length > 0 &&
    html`<section class="fields" aria-label=${texts.record.referencedBy}>
      <h2>${texts.record.referencedBy}</h2>
      <ul class="referenced-by">
        ${others.map((naming) => html`<${ListLink} ...${naming} />`)}
      </ul>
    </section>`
  }`;
}
