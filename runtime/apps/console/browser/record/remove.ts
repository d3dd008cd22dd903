import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { etagOf } from '../../../../client/etag.ts';
import type { ReferencedBy } from '../../../../client/failure.ts';
import { allows, type Api, type Key, messageOf, problemOf } from '../api.ts';
import { confirmDialog, openModal } from '../dialog.ts';
import { undoDelete } from '../history/events.ts';
import { fieldOf, type Resource } from '../model.ts';
import { RecordLink, type References, ReferencesContext } from '../reference.ts';
import { backHref, hrefOf, navigate } from '../route.ts';
import { texts } from '../texts.ts';
import { toast } from '../toast.ts';
import { isStale } from './failure.ts';
import type { Editing } from './use-draft.ts';

/** Names the records that a delete would leave without the one that they name, and leads to them. */
function showReferencing(references: References, owner: Resource, by: readonly ReferencedBy[]): Promise<string> {
  const group = ({ resource: route, field, ids }: ReferencedBy): VNode => {
    const resource = references.resourceOf(route);
    const title = (resource && fieldOf(resource, field)?.title) ?? field;
    return html`<section class="referencing" key=${`${route} ${field}`}>
      <h3>${resource?.title ?? route} <span class="muted">${texts.record.as(title)}</span></h3>
      <ul>
        ${ids.map((id) => html`<li key=${id}><${RecordLink} route=${route} id=${id} /></li>`)}
      </ul>
    </section>`;
  };
  return openModal(
    'dialog-title',
    () =>
      html`<${ReferencesContext.Provider} value=${references}>
        <form method="dialog">
          <h2 id="dialog-title">${texts.record.stillReferenced(owner.title)}</h2>
          <p>${texts.record.deleteFirst}</p>
          ${by.map(group)}
          <div class="actions"><button class="button">${texts.dialog.close}</button></div>
        </form>
      <//>`,
  );
}

/** Restores a record that was just deleted, and leads to it. */
async function restore(api: Api, route: string, id: string): Promise<void> {
  try {
    await undoDelete(api, route, id);
    await navigate(hrefOf(route, id));
  } catch (error) {
    toast(messageOf(error), { isError: true });
  }
}

interface Removed {
  readonly api: Api;
  readonly apiKey: Key;
  readonly editing: Editing;
}

/** Asks, deletes a record with its line items, and leads to the list. */
export async function remove(references: References, { api, apiKey, editing }: Removed): Promise<void> {
  const { resource, base, items, id = '' } = editing.draft;
  const canUndo = allows(apiKey, 'events', 'read');
  const count = items.reduce((sum, { total }) => sum + total, 0);
  const isMeant = await confirmDialog({
    title: texts.record.deleteQuestion(resource.title),
    text: [count > 0 && texts.record.goesWithIt(texts.counts.lineItems(count)), !canUndo && texts.record.cannotUndo]
      .filter(Boolean)
      .join(' '),
    action: texts.record.delete,
  });
  if (!isMeant) return;
  try {
    await api.send({ method: 'DELETE', path: resource.path, id, condition: { ifMatch: etagOf(base) } });
    const action = { label: texts.dialog.undo, run: () => void restore(api, resource.route, id) };
    toast(texts.record.deleted(resource.title), canUndo ? { action } : {});
    await navigate(backHref(resource.route), { replace: true, force: true });
  } catch (error) {
    const problem = problemOf(error);
    const by = problem?.code === 'still_referenced' ? problem.referenced_by : [];
    // It names none that the key may not read.
    if (by.length > 0) await showReferencing(references, resource, by);
    else if (isStale(error)) {
      await editing.refresh().catch(() => {});
      toast(texts.record.notDeleted(resource.title), { isError: true });
    } else toast(messageOf(error), { isError: true });
  }
}
