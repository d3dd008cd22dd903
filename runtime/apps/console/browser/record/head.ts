import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { etagOf } from '../../../../client/etag.ts';
import type { ReferencedBy } from '../../../../client/failure.ts';
import { allows, type Api, type Key, messageOf, problemOf } from '../api.ts';
import { Cell } from '../cell.ts';
import { confirmDialog, openModal } from '../dialog.ts';
import { type Action, Menu } from '../menu.ts';
import { fieldOf, type Resource, type Transition } from '../model.ts';
import { RecordLink, type References, ReferencesContext, useName } from '../reference.ts';
import { backHref, hrefOf, navigate } from '../route.ts';
import { undoDelete } from '../history/events.ts';
import { stateFieldOf, stagesOf } from '../stages.ts';
import { titleOf } from '../text.ts';
import { texts } from '../texts.ts';
import { toast } from '../toast.ts';
import { askInput, type Entered } from './ask-input.ts';
import { type Draft, isArchived, lockOf } from './draft.ts';
import { Facts } from './facts.ts';
import { isStale } from './failure.ts';
import type { Move } from './save.ts';
import type { Editing } from './use-draft.ts';
import { currentInput } from './values.ts';

/** The heading of the page of a record. */
export function useHeading({ resource, id, base }: Draft): string {
  const name = useName(resource, id === undefined ? undefined : base) ?? '…';
  if (resource.fields.length === 0) return texts.record.itemsOf(resource.title, String(id));
  if (resource.kind === 'singleton') return resource.title;
  if (id === undefined) return texts.record.new(resource.title);
  // An id is no heading.
  return name === id ? resource.title : name;
}

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

/** Asks, deletes a record with its line items, and leads to the list. */
async function remove({ api, apiKey, editing }: HeadProps, references: References): Promise<void> {
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

/** Why a record cannot be moved now; nothing where it can. */
function whyNot(resource: Resource, transition: Transition, draft: Draft): string | undefined {
  const { base, edits } = draft;
  const { title, field, from, requires = [] } = transition;
  if (isArchived(draft)) return texts.record.notArchived(title);
  const state = base[field];
  if (typeof state === 'string' && from.includes(state)) {
    // The transition itself may set one that no form sets.
    const missing = requires.flatMap((name) => {
      const required = fieldOf(resource, name);
      const isThere = required && (currentInput(base, edits, required) ?? null) !== null;
      return isThere || !required || required.readOnly ? [] : [required.title];
    });
    return missing.length === 0 ? undefined : texts.record.needs(title, missing);
  }
  return texts.record.possibleWhen(title, titleOf(field), from, typeof state === 'string' ? state : '');
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
  const references = useContext(ReferencesContext);
  /** Asks again if the server refuses what was entered. */
  const askFor = async (transition: Transition, entered: Entered): Promise<void> => {
    const answer = await askInput(references, resource.title, transition, entered);
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
        title: texts.record.moveQuestion(title, resource.title),
        text: texts.record.becomesForEver(titleOf(field), String(to)),
        action: texts.record.moveRecord(title, resource.title),
        cancel: texts.record.notNow,
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
        ${hasChanges && reason === undefined ? texts.record.saveAnd(title) : title}
      </button>
      ${reason !== undefined && html`<span class="tip" role="tooltip" id=${`why-not-${name}`}>${reason}</span>`}
    </span>`;
  })}`;
}

interface HeadProps {
  readonly api: Api;
  readonly apiKey: Key;
  readonly editing: Editing;
  readonly heading: string;
  readonly isEditable: boolean;
  /** There is something to save. */
  readonly isDirty: boolean;
  readonly save: (move?: Move) => void;
  readonly print: () => void;
}

/** The link to a record goes to the clipboard, where the page may write to it. */
async function copyLink(): Promise<void> {
  try {
    await navigator.clipboard.writeText(location.href);
    toast(texts.record.linkCopied);
  } catch {
    toast(texts.record.linkNotCopied, { isError: true });
  }
}

/** The actions of a record that are rarely needed. */
function actionsOf(props: HeadProps, references: References): readonly Action[] {
  const { apiKey, editing, save, print } = props;
  const { draft, isSaving, isGone } = editing;
  const { resource, id } = draft;
  if (id === undefined || isGone || resource.fields.length === 0) return [];
  const words = texts.record;
  const isInArchive = isArchived(draft);
  const archiving = resource.archive?.[isInArchive ? 'unarchive' : 'archive'];
  const canArchive = archiving && allows(apiKey, resource.route, 'transition');
  const mayWrite = resource.kind === 'record' && allows(apiKey, resource.route, 'write');
  const canDelete = mayWrite && !lockOf(draft) && resource.can.delete;
  const copy = hrefOf(resource.route, 'new', new URLSearchParams({ copy: id }));
  return [
    ...(mayWrite && resource.can.create ? [{ text: words.duplicate, run: () => void navigate(copy) }] : []),
    { text: words.print, run: print },
    { text: words.copyLink, run: () => void copyLink() },
    ...(canArchive
      ? [
          {
            text: words[isInArchive ? 'unarchive' : 'archive'],
            run: () => !isSaving && save({ transition: archiving }),
          },
        ]
      : []),
    ...(canDelete ? [{ text: words.delete, run: () => void remove(props, references), isDanger: true }] : []),
  ];
}

/** The title of a record, its state and its actions, which stay in sight, and the fields that matter most. */
export function Head(props: HeadProps): VNode {
  const { apiKey, editing, heading, isEditable, isDirty, save } = props;
  const { draft, isSaving, isGone } = editing;
  const { resource, id, base } = draft;
  const references = useContext(ReferencesContext);
  const canMove = id !== undefined && !isGone && allows(apiKey, resource.route, 'transition');
  const lock = lockOf(draft);
  const canSave = isEditable && (!lock || isDirty || lock.except !== undefined);
  const state = stateFieldOf(resource);
  const actions = actionsOf(props, references);
  return html`<div class="record-head">
    <div class="record-bar">
      <div class="record-title">
        <h1 tabindex="-1" title=${heading}><bdi>${heading}</bdi></h1>
        ${
          state &&
          id !== undefined &&
          (base[state.name] ?? '') !== '' &&
          html`<span class="record-state">
            <${Cell} value=${base[state.name]} field=${state} stageOf=${stagesOf(resource).get(state.name)} />
          </span>`
        }
      </div>
      <div class="record-actions">
        <span class="unsaved" role="status">${isDirty && texts.record.notSaved}</span>
        ${
          canMove &&
          html`<${Transitions} ...${{ draft, hasChanges: isDirty && isEditable, isBusy: isSaving, move: save }} />`
        }
        ${
          canSave &&
          html`<button
            class="button primary"
            aria-disabled=${isDirty || id === undefined ? undefined : 'true'}
            aria-keyshortcuts="Control+S Meta+S"
            title=${texts.record.saveKey}
          >
            ${isSaving ? texts.record.saving : id === undefined ? texts.record.create : texts.record.save}
          </button>`
        }
        <${Menu} label=${texts.record.moreActions} groups=${[{ actions }]} />
      </div>
    </div>
    <${Facts} draft=${draft} />
  </div>`;
}
