import { html } from 'htm/preact';
import type { Call } from '../../../../../client/requests.ts';
import { allows, type Value } from '../../api.ts';
import { confirmDialog, openModal } from '../../dialog.ts';
import type { Transition } from '../../model.ts';
import { askInput } from '../../record/ask-input.ts';
import { ReferencesContext } from '../../reference.ts';
import { texts } from '../../texts.ts';
import { type Many, Running, type RunningProps } from './running.ts';
import { SetForm } from './set-form.ts';

/** Runs an operation on many records, in a dialog. */
const run = (props: Omit<RunningProps, 'close'>): Promise<string> =>
  openModal(
    'many-title',
    (close) =>
      html`<${ReferencesContext.Provider} value=${props.many.references}>
        <${Running} ...${{ ...props, close: () => close() }} />
      <//>`,
  );

const undoText = ({ apiKey }: Many): string =>
  allows(apiKey, 'events', 'read') ? texts.bulk.canUndo : texts.record.cannotUndo;

/** Sets a field of many records. Resolves once the dialog is closed. */
export async function openSet(many: Many): Promise<void> {
  const { resource, selection, references } = many;
  const { path } = resource;
  let chosen: Readonly<Record<string, Value>> | undefined;
  await openModal('many-title', (close) => {
    const set = (body: Readonly<Record<string, Value>>): void => {
      chosen = body;
      close();
    };
    return html`<${ReferencesContext.Provider} value=${references}>
      <${SetForm} ...${{ resource, selection, close: () => close(), set }} />
    <//>`;
  });
  const body = chosen;
  if (!body) return;
  const title = texts.bulk.setTitle(selection.count);
  await run({ many, title, doneTitle: texts.bulk.done, operation: (id) => ({ method: 'PATCH', path, id, body }) });
}

/** Deletes many records. Resolves once the dialog is closed. */
export async function openDelete(many: Many): Promise<void> {
  const { resource, selection } = many;
  const { path, items } = resource;
  const title = texts.bulk.question(texts.record.delete, selection.count);
  const text = [items.length > 0 && texts.bulk.withItems, undoText(many)].filter(Boolean).join(' ');
  if (!(await confirmDialog({ title, text, action: texts.record.delete }))) return;
  await run({ many, title, doneTitle: texts.bulk.deleted, operation: (id) => ({ method: 'DELETE', path, id }) });
}

/** Runs a verb on many records; its input is asked for once. Resolves once the dialog is closed. */
export async function openMove(many: Many, transition: Transition, verb: string): Promise<void> {
  const { resource, selection, references } = many;
  const { path, title: noun } = resource;
  const { name: action, input } = transition;
  const title = texts.bulk.question(verb, selection.count);
  let body: Call['body'];
  if (input.length > 0) {
    const answer = await askInput(references, noun, transition, { edits: {} }, selection.count);
    if (!answer) return;
    ({ body } = answer);
  } else {
    // A verb may itself be called Cancel.
    const question = { title, text: undoText(many), action: title, cancel: texts.record.notNow, danger: false };
    if (!(await confirmDialog(question))) return;
  }
  const operation = (id: string): Call => ({ method: 'POST', path, id, action, body });
  await run({ many, title, doneTitle: texts.bulk.done, operation });
}
