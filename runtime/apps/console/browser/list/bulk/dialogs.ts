import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { Call } from '../../../../../client/requests.ts';
import { allows, type Value } from '../../api.ts';
import { openModal } from '../../dialog.ts';
import type { Transition } from '../../model.ts';
import { askInput } from '../../record/ask-input.ts';
import { ReferencesContext } from '../../reference.ts';
import { texts } from '../../texts.ts';
import { type Many, Running } from './running.ts';
import { SetForm } from './set-form.ts';

type Operation = (id: string) => Call;

interface DialogProps {
  readonly many: Many;
  readonly title: string;
  readonly doneTitle?: ((count: number) => string) | undefined;
  /** Asks what is to be done, before it is; undefined if that is known. */
  readonly ask: ((begin: (operation: Operation) => void, close: () => void) => VNode) | undefined;
  readonly start?: Operation;
  readonly close: () => void;
}

function Dialog({ many, title, doneTitle = texts.bulk.done, ask, start, close }: DialogProps): VNode {
  const [operation, setOperation] = useState<{ readonly of: Operation } | undefined>(start && { of: start });
  if (operation) return html`<${Running} ...${{ many, title, doneTitle, operation: operation.of, close }} />`;
  return ask?.((of) => setOperation({ of }), close) ?? html``;
}

const open = (props: Omit<DialogProps, 'close'>): Promise<string> =>
  openModal(
    'many-title',
    (close) =>
      html`<${ReferencesContext.Provider} value=${props.many.references}>
        <${Dialog} ...${{ ...props, close: () => close() }} />
      <//>`,
  );

interface Question {
  readonly title: string;
  readonly text: string;
  readonly action: string;
  readonly danger?: boolean;
}

const question =
  ({ title, text, action, danger }: Question, operation: Operation) =>
  (begin: (operation: Operation) => void, close: () => void): VNode => {
    const submit = (event: Event): void => {
      event.preventDefault();
      begin(operation);
    };
    return html`<form method="dialog" onSubmit=${submit}>
      <h2 id="many-title">${title}</h2>
      <p>${text}</p>
      <div class="actions">
        <button type="button" class="button" onClick=${close}>${texts.dialog.cancel}</button>
        <button class=${danger ? 'button danger' : 'button primary'} autofocus>${action}</button>
      </div>
    </form>`;
  };

const undoText = ({ apiKey }: Many): string =>
  allows(apiKey, 'events', 'read') ? texts.bulk.canUndo : texts.record.cannotUndo;

/** Sets a field of many records. Resolves once the dialog is closed. */
export function openSet(many: Many): Promise<string> {
  const { resource, selection } = many;
  const { path } = resource;
  const ask: DialogProps['ask'] = (begin, close) => {
    const set = (body: Readonly<Record<string, Value>>): void => begin((id) => ({ method: 'PATCH', path, id, body }));
    return html`<${SetForm} ...${{ resource, selection, close, set }} />`;
  };
  return open({ many, title: texts.bulk.setTitle(selection.count), ask });
}

/** Deletes many records. Resolves once the dialog is closed. */
export function openDelete(many: Many): Promise<string> {
  const { resource, selection } = many;
  const title = texts.bulk.question(texts.record.delete, selection.count);
  const text = [resource.items.length > 0 && texts.bulk.withItems, undoText(many)].filter(Boolean).join(' ');
  const ask = question({ title, text, action: texts.record.delete, danger: true }, (id) => ({
    method: 'DELETE',
    path: resource.path,
    id,
  }));
  return open({ many, title, doneTitle: texts.bulk.deleted, ask });
}

/** Runs a verb on many records; its input is asked for once. Resolves once the dialog is closed. */
export async function openMove(many: Many, transition: Transition, verb: string): Promise<void> {
  const { resource, selection, references } = many;
  const { name: action, input } = transition;
  const title = texts.bulk.question(verb, selection.count);
  const operation =
    (body?: Call['body']): Operation =>
    (id) => ({ method: 'POST', path: resource.path, id, action, body });
  if (input.length === 0) {
    await open({ many, title, ask: question({ title, text: undoText(many), action: verb }, operation()) });
    return;
  }
  const answer = await askInput(references, resource.title, transition, { edits: {} }, selection.count);
  if (answer) await open({ many, title, ask: undefined, start: operation(answer.body) });
}
