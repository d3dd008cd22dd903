import { html } from 'htm/preact';
import { openModal } from '../modal.ts';
import { listKeys } from './keyboard.ts';

/** Shows the keys of a list in a dialog. */
export const showHelp = (): void =>
  void openModal(
    'help-title',
    () =>
      html`<form method="dialog">
        <h2 id="help-title">Keyboard</h2>
        <dl class="keys">
          ${listKeys.map(
            ([keys, meaning]) =>
              html`<div key=${keys}>
                <dt>${keys.split('  ').map((one) => html`<kbd>${one}</kbd> `)}</dt>
                <dd>${meaning}</dd>
              </div>`,
          )}
        </dl>
        <div class="actions"><button class="button">Close</button></div>
      </form>`,
  );
