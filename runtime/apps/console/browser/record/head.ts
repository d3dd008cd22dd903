import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { allows, type Key } from '../access.ts';
import type { Api } from '../api.ts';
import { Cell, stagesOf } from '../cell.ts';
import type { Transition } from '../model.ts';
import { remove } from './remove.ts';
import { headingOf } from './title.ts';
import { Transitions } from './transitions.ts';
import type { Editing } from './use-draft.ts';

interface HeadProps {
  readonly api: Api;
  readonly apiKey: Key;
  readonly editing: Editing;
  readonly isEditable: boolean;
  /** There is something to save. */
  readonly isDirty: boolean;
  readonly save: (transition?: Transition) => void;
}

/** The title of a record, its state and its actions. It stays in sight. */
export function Head({ api, apiKey, editing, isEditable, isDirty, save }: HeadProps): VNode {
  const { draft, isSaving, isGone } = editing;
  const { resource, id, stored } = draft;
  const isStored = id !== undefined && !isGone;
  const canMove = isStored && allows(apiKey, resource.route, 'transition');
  const canDelete =
    isStored && resource.kind === 'record' && resource.can.delete && allows(apiKey, resource.route, 'write');
  const state = resource.fields.find(({ name }) => name === resource.transitions[0]?.field);
  return html`<div class="record-head">
    <div class="record-title">
      <h1 tabindex="-1"><bdi>${headingOf(resource, id, stored)}</bdi></h1>
      <div class="record-state">
        ${state && id !== undefined && html`<${Cell} value=${stored[state.name]} field=${state} stages=${stagesOf(resource.transitions).get(state.name)} />`}
        ${
          canMove &&
          html`<${Transitions}
            ...${{ resource, record: stored, hasChanges: isDirty && isEditable, isBusy: isSaving, move: save }}
          />`
        }
      </div>
    </div>
    <div class="record-actions">
      <span class="unsaved" role="status">${isDirty && 'Not saved'}</span>
      ${
        canDelete &&
        html`<button type="button" class="button quiet" onClick=${() => void remove(api, draft)}>Delete</button>`
      }
      ${
        isEditable &&
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
