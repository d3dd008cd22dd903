import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { etagOf } from '../../../../client/etag.ts';
import type { ReferencedBy } from '../../../../client/failure.ts';
import { allows, type Api, type Key, messageOf, problemOf } from '../api.ts';
import { Cell } from '../cell.ts';
import { confirmDialog, openModal } from '../dialog.ts';
import { fieldOf, type Resource, type Transition } from '../model.ts';
import { RecordLink, type References, ReferencesContext, useName } from '../reference.ts';
import { hrefOf, listHref, navigate } from '../route.ts';
import { undoDelete } from '../history/events.ts';
import { stagesOf } from '../stages.ts';
import { texts } from '../texts.ts';
import { toast } from '../toast.ts';
import { askInput, type Entered } from './ask-input.ts';
import { type Draft, isArchived, lockOf } from './draft.ts';
import { isStale } from './failure.ts';
import type { Move } from './save.ts';
import type { Editing } from './use-draft.ts';
import { currentInput } from './values.ts';

/** The heading of the page of a record. */
function useHeading({ resource, id, base }: Draft): string {
  const name = useName(resource, id === undefined ? undefined : base) ?? '…';
  if (resource.fields.length === 0) return `${resource.title} of ${id}`;
  if (resource.kind === 'singleton') return resource.title;
  return id === undefined ? `New ${resource.title.toLowerCase()}` : name;
}

/** Names the records that a delete would leave without the one that they name, and leads to them. */
function showReferencing(references: References, noun: string, by: readonly ReferencedBy[]): Promise<string> {
  const group = ({ resource: route, field, ids }: ReferencedBy): VNode => {
    const resource = references.resourceOf(route);
    const title = (resource && fieldOf(resource, field)?.title) ?? field;
    return html`<section class="referencing" key=${`${route} ${field}`}>
      <h3>${resource?.title ?? route} <span class="muted">as ${title.toLowerCase()}</span></h3>
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
          <h2 id="dialog-title">This ${noun} is still referenced</h2>
          <p>Delete these records first, or let them name another one. Of each kind, up to ten are shown.</p>
          ${by.map(group)}
          <div class="actions"><button class="button">Close</button></div>
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

/** Asks, deletes a record with its line items, and leads to the list. */
async function remove({ api, apiKey, editing }: HeadProps, references: References): Promise<void> {
  const { resource, base, items, id = '' } = editing.draft;
  const canUndo = allows(apiKey, 'events', 'read');
  const count = items.reduce((sum, { total }) => sum + total, 0);
  const noun = resource.title.toLowerCase();
  const isMeant = await confirmDialog({
    title: `Delete this ${noun}?`,
    text: `${count > 0 ? `With it goes what belongs to it: ${texts.counts.lineItems(count)}. ` : ''}${canUndo ? '' : 'This cannot be undone.'}`,
    action: 'Delete',
  });
  if (!isMeant) return;
  try {
    await api.send({ method: 'DELETE', path: resource.path, id, condition: { ifMatch: etagOf(base) } });
    const action = { label: 'Undo', run: () => void restore(api, resource.route, id) };
    toast(`${resource.title} deleted.`, canUndo ? { action } : {});
    await navigate(listHref(resource.route), { replace: true, force: true });
  } catch (error) {
    const problem = problemOf(error);
    const by = problem?.code === 'still_referenced' ? problem.referenced_by : [];
    // It names none that the key may not read.
    if (by.length > 0) await showReferencing(references, noun, by);
    else if (isStale(error)) {
      await editing.refresh().catch(() => {});
      toast(`Not deleted: another user has changed this ${noun}. The page shows that.`, { isError: true });
    } else toast(messageOf(error), { isError: true });
  }
}

const quoted = (states: readonly string[]): string => states.map((state) => `“${state}”`).join(' or ');

/** Why a record cannot be moved now; nothing where it can. */
function whyNot(resource: Resource, transition: Transition, draft: Draft): string | undefined {
  const { base, edits } = draft;
  const { title, field, from, requires = [] } = transition;
  if (isArchived(draft)) return `${title} is possible when it is no longer archived.`;
  const state = base[field];
  if (typeof state === 'string' && from.includes(state)) {
    // The transition itself may set one that no form sets.
    const missing = requires.flatMap((name) => {
      const required = fieldOf(resource, name);
      const isThere = required && (currentInput(base, edits, required) ?? null) !== null;
      return isThere || !required || required.readOnly ? [] : [required.title.toLowerCase()];
    });
    return missing.length === 0 ? undefined : `${title} needs: ${missing.join(', ')}.`;
  }
  const now = typeof state === 'string' && state !== '' ? `is “${state}”` : 'is empty';
  return `${title} is possible when the ${field.replaceAll('_', ' ')} is ${quoted(from)}; now it ${now}.`;
}

/** Whether no operation leads on from the state that a transition leads to. */
const isFinal = ({ transitions }: Resource, { to, field }: Transition): boolean =>
  to !== undefined &&
  !transitions.some((other) => other.field === field && other.to !== undefined && other.from.includes(to));

interface TransitionsProps {
  readonly draft: Draft;
  readonly hasChanges: boolean;
  readonly isBusy: boolean;
  readonly move: (move: Move) => void;
}

/** The buttons of the transitions of a record. One that is not possible says why. */
function Transitions({ draft, hasChanges, isBusy, move }: TransitionsProps): VNode {
  const { resource } = draft;
  const noun = resource.title.toLowerCase();
  const references = useContext(ReferencesContext);
  /** Asks again if the server refuses what was entered. */
  const askFor = async (transition: Transition, entered: Entered): Promise<void> => {
    const answer = await askInput(references, noun, transition, entered);
    const { edits, body } = answer ?? {};
    if (edits) move({ transition, body, refuse: (errors) => void askFor(transition, { edits, errors }) });
  };
  const ask = async (transition: Transition): Promise<void> => {
    const { title, field, to, input } = transition;
    if (input.length > 0) {
      await askFor(transition, { edits: {} });
      return;
    }
    const isMeant =
      !isFinal(resource, transition) ||
      (await confirmDialog({
        title: `${title} this ${noun}?`,
        text: `Its ${field.replaceAll('_', ' ')} becomes “${to}”, and no button leads back from there.`,
        action: `${title} ${noun}`,
        cancel: 'Not now',
      }));
    if (isMeant) move({ transition });
  };
  return html`${resource.transitions.map((transition) => {
    const { name, title } = transition;
    const reason = whyNot(resource, transition, draft);
    const press = (): void => {
      if (reason !== undefined) toast(reason);
      else if (!isBusy) void ask(transition);
    };
    return html`<span class="transition" key=${name}>
      <button
        type="button"
        class="button"
        aria-disabled=${reason === undefined ? undefined : 'true'}
        aria-describedby=${reason === undefined ? undefined : `why-not-${name}`}
        onClick=${press}
      >
        ${hasChanges && reason === undefined ? `Save and ${title.toLowerCase()}` : title}
      </button>
      ${reason !== undefined && html`<span class="tip" role="tooltip" id=${`why-not-${name}`}>${reason}</span>`}
    </span>`;
  })}`;
}

interface HeadProps {
  readonly api: Api;
  readonly apiKey: Key;
  readonly editing: Editing;
  readonly isEditable: boolean;
  /** There is something to save. */
  readonly isDirty: boolean;
  readonly save: (move?: Move) => void;
}

/** The title of a record, its state and its actions. It stays in sight. */
export function Head(props: HeadProps): VNode {
  const { apiKey, editing, isEditable, isDirty, save } = props;
  const { draft, isSaving, isGone } = editing;
  const { resource, id, base } = draft;
  const references = useContext(ReferencesContext);
  const heading = useHeading(draft);
  const isStored = id !== undefined && !isGone;
  const canMove = isStored && allows(apiKey, resource.route, 'transition');
  const lock = lockOf(draft);
  const canSave = isEditable && (!lock || isDirty || lock.except !== undefined);
  const archiving = canMove ? resource.archive?.[isArchived(draft) ? 'unarchive' : 'archive'] : undefined;
  const canDelete =
    isStored && !lock && resource.kind === 'record' && resource.can.delete && allows(apiKey, resource.route, 'write');
  const state = resource.fields.find(({ name }) => name === resource.transitions[0]?.field);
  return html`<div class="record-head">
    <div class="record-title">
      <h1 tabindex="-1"><bdi>${heading}</bdi></h1>
      <div class="record-state">
        ${state && id !== undefined && html`<${Cell} value=${base[state.name]} field=${state} stageOf=${stagesOf(resource).get(state.name)} />`}
        ${
          canMove &&
          html`<${Transitions} ...${{ draft, hasChanges: isDirty && isEditable, isBusy: isSaving, move: save }} />`
        }
      </div>
    </div>
    <div class="record-actions">
      <span class="unsaved" role="status">${isDirty && 'Not saved'}</span>
      ${
        archiving &&
        html`<button type="button" class="button quiet" onClick=${() => !isSaving && save({ transition: archiving })}>
          ${archiving.title}
        </button>`
      }
      ${
        canDelete &&
        html`<button type="button" class="button quiet" onClick=${() => void remove(props, references)}>Delete</button>`
      }
      ${
        canSave &&
        html`<button
          class="button primary"
          aria-disabled=${isDirty || id === undefined ? undefined : 'true'}
          aria-keyshortcuts="Control+S Meta+S"
          title="Ctrl+S"
        >
          ${isSaving ? 'Saving…' : id === undefined ? 'Create' : 'Save'}
        </button>`
      }
    </div>
  </div>`;
}
