import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import type { Page } from '../api.ts';
import type { Field, Resource } from '../model.ts';
import { ReferencesContext } from '../reference.ts';
import { hrefOf } from '../route.ts';

const numbers = new Intl.NumberFormat();

/** A list, of those records whose field names this one. */
function ListLink({ resource, field, id }: { resource: Resource; field: Field; id: string }): VNode {
  const { api } = useContext(ReferencesContext);
  const [total, setTotal] = useState<number>();
  const filter = new URLSearchParams({ [field.name]: id });
  useEffect(() => {
    const controller = new AbortController();
    const request = `${resource.path}?${filter}&limit=1&fields=id`;
    // The list says what is wrong, if anything is.
    api.get<Page>(request, controller.signal).then(
      (page) => setTotal(page.total),
      () => {},
    );
    return () => controller.abort();
  }, []);
  return html`<li>
    <a href=${hrefOf(resource.route, undefined, filter)}>
      ${resource.title} <span class="muted">as ${field.title.toLowerCase()}</span>
      <span class="count">${total === undefined ? '' : numbers.format(total)}</span>
    </a>
  </li>`;
}

/** The lists of the records that name this one. */
export function ReferencedBy({ resource, id }: { resource: Resource; id: string }): VNode {
  const lists = useContext(ReferencesContext).listsNaming(resource);
  if (lists.length === 0) return html``;
  return html`<section class="fields" aria-label="Referenced by">
    <h2>Referenced by</h2>
    <ul class="referenced-by">
      ${lists.map(
        ([other, field]) =>
          html`<${ListLink} key=${`${other.route} ${field.name}`} ...${{ resource: other, field, id }} />`,
      )}
    </ul>
  </section>`;
}
