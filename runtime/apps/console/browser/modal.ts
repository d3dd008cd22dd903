import { render, type VNode } from 'preact';

/** Closes all modal dialogs, as Escape does: none outlives the page that has opened it. */
export const closeModals = (): void => document.querySelectorAll('dialog').forEach((dialog) => dialog.close());

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
  });
  render(
    content((result) => dialog.close(result)),
    dialog,
  );
  document.body.append(dialog);
  dialog.showModal();
  return promise;
}
