import { html } from 'htm/preact';
import { render, type VNode } from 'preact';
import { keepFocus } from './focus.ts';
import { texts } from './texts.ts';

/** Closes all modal dialogs, as Escape does: none outlives the page that has opened it. */
export const closeModals = (): void => document.querySelectorAll('dialog').forEach((dialog) => dialog.close());

/** Whether a dialog, or the sign-in after a key has ended, is above the page. */
export const isPageCovered = (): boolean => document.querySelector('dialog[open], .app[hidden]') !== null;

/**
 * Opens a modal dialog, which Escape closes.
 *
 * @param title the id of its heading
 * @param content is given what closes it
 * @returns what it was closed with, once it is closed
 */
export function openModal(title: string, content: (close: (result?: string) => void) => VNode): Promise<string> {
  const dialog = document.createElement('dialog');
  dialog.className = 'dialog';
  dialog.setAttribute('aria-labelledby', title);
  const { promise, resolve } = Promise.withResolvers<string>();
  dialog.addEventListener('close', () => {
    resolve(dialog.returnValue);
    render(null, dialog);
    dialog.remove();
    // The element that has opened it, and would have the focus again, may be gone.
    keepFocus();
  });
  render(
    content((result) => dialog.close(result)),
    dialog,
  );
  document.body.append(dialog);
  dialog.showModal();
  return promise;
}

interface Question {
  readonly title: string;
  readonly text: string;
  /** The label of the button that agrees: it names the act. */
  readonly action: string;
  /** The label of the other button. */
  readonly cancel?: string;
  /** The act cannot be undone. */
  readonly danger?: boolean;
}

/** Asks a question in a modal dialog. @returns whether it was agreed to; Escape is no */
export async function confirmDialog({
  title,
  text,
  action,
  cancel = texts.dialog.cancel,
  danger = true,
}: Question): Promise<boolean> {
  const answer = await openModal(
    'dialog-title',
    () =>
      html`<form method="dialog">
        <h2 id="dialog-title">${title}</h2>
        <p>${text}</p>
        <div class="actions">
          <button class="button" value="no">${cancel}</button>
          <button class=${danger ? 'button danger' : 'button primary'} value="yes" autofocus=${!danger}>
            ${action}
          </button>
        </div>
      </form>`,
  );
  return answer === 'yes';
}
