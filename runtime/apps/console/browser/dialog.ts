import { html } from 'htm/preact';
import { openModal } from './modal.ts';

export interface Question {
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
  cancel = 'Cancel',
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
          <button class=${danger ? 'button danger' : 'button primary'} value="yes">${action}</button>
        </div>
      </form>`,
  );
  return answer === 'yes';
}
