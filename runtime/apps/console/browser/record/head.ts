import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { allows, type Api, type Key } from '../api.ts';
import { Cell } from '../cell.ts';
import { type Action, Menu } from '../menu.ts';
import { type References, ReferencesContext, useName } from '../reference.ts';
import { hrefOf, navigate } from '../route.ts';
import { stagesOf, stateFieldOf } from '../stages.ts';
import { texts } from '../texts.ts';
import { toast } from '../toast.ts';
import { type Draft, hasBlankRows, isArchived, lockOf } from './draft.ts';
import { Facts } from './facts.ts';
import { movesOf } from './moves.ts';
import { remove } from './remove.ts';
import type { Move } from './save.ts';
import type { Editing } from './use-draft.ts';

/** So many transitions have a button: those that are possible, in the order of the spec. The others are in the menu. */
const maxButtons = 2;

/** The heading of the page of a record. */
export function useHeading({ resource, id, base }: Draft): string {
  const name = useName(resource, id === undefined ? undefined : base) ?? '…';
  if (resource.fields.length === 0) return texts.record.itemsOf(resource.title, String(id));
  if (resource.kind === 'singleton') return resource.title;
  if (id === undefined) return texts.record.new(resource.title);
  // An id is no heading.
  return name === id ? resource.title : name;
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
    ...(canDelete ? [{ text: words.delete, run: () => void remove(references, props), isDanger: true }] : []),
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
  const moves = canMove
    ? movesOf({ draft, references, hasChanges: isDirty && isEditable, isBusy: isSaving, move: save })
    : [];
  const possible = moves.filter((action) => action.whyNot === undefined);
  const said = isDirty ? texts.record.notSaved : hasBlankRows(draft) && texts.record.blankRows;
  const groups = [
    possible.slice(maxButtons),
    actionsOf(props, references),
    moves.filter((action) => action.whyNot !== undefined),
  ].map((actions) => ({ actions }));
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
        <span class="unsaved" role="status">${said}</span>
        ${possible
          .slice(0, maxButtons)
          .map(
            ({ text, run }) => html`<button key=${text} type="button" class="button" onClick=${run}>${text}</button>`,
          )}
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
        <${Menu} label=${texts.record.moreActions} groups=${groups} />
      </div>
    </div>
    <${Facts} draft=${draft} />
  </div>`;
}
