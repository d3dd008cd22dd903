import { html } from 'htm/preact';
import { openModal } from './dialog.ts';
import { texts } from './texts.ts';

const isMac = navigator.platform.startsWith('Mac');

/** A key with that of commands, as the keyboard of this computer has it: `Ctrl K`, `⌘ K`. */
export const controlKey = (key: string): string => `${isMac ? '⌘' : texts.keys.control} ${key}`;

/** Keys and their meanings, by where they have them. Two spaces stand between keys that mean the same. */
const groups = (): readonly (readonly [string, readonly (readonly [string, string])[]])[] => {
  const { keys } = texts;
  const list = texts.list.keys;
  return [
    [
      keys.everywhere,
      [
        [controlKey('K'), keys.search],
        ['?', keys.help],
      ],
    ],
    [
      keys.lists,
      [
        ['j  ↓', list.next],
        ['k  ↑', list.previous],
        [keys.enter, list.open],
        [`x  ${keys.space}`, list.select],
        [`${keys.shift} J  ${keys.shift} K`, list.extend],
        [controlKey('A'), list.selectPage],
        ['.', list.actions],
        ['Esc', list.clear],
        ['n', list.create],
        ['/', list.search],
        ['[  ]', list.pages],
      ],
    ],
    [
      keys.forms,
      [
        [controlKey('S'), keys.save],
        [controlKey(keys.enter), keys.saveAndLeave],
        ['Esc', keys.leave],
        ['Alt ⌫', keys.clear],
      ],
    ],
  ];
};

/** Shows the keys of the console in a dialog. */
export const showHelp = (): Promise<string> =>
  openModal(
    'help-title',
    () =>
      html`<form method="dialog">
        <h2 id="help-title">${texts.keys.title}</h2>
        ${groups().map(
          ([place, keys]) =>
            html`<h3 class="muted">${place}</h3>
              <dl class="keys">
                ${keys.map(
                  ([names, meaning]) =>
                    html`<dt>${names.split('  ').map((name) => html`<kbd>${name}</kbd> `)}</dt>
                      <dd>${meaning}</dd>`,
                )}
              </dl>`,
        )}
        <div class="actions"><button class="button">${texts.dialog.close}</button></div>
      </form>`,
  );
