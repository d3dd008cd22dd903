import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { Key } from '../api.ts';
import { showHelp } from '../keyboard-help.ts';
import { Menu } from '../menu.ts';
import { texts } from '../texts.ts';
import { chooseTheme, chosenTheme, type Theme, themes } from '../theme.ts';

interface AccountMenuProps {
  readonly apiKey: Key;
  readonly signOut: () => Promise<void>;
}

/** The button with the name of the key and its organization, and the menu that it opens. */
export function AccountMenu({ apiKey: { name, organization }, signOut }: AccountMenuProps): VNode {
  const [theme, setTheme] = useState(chosenTheme());
  const choose = (chosen: Theme): void => {
    chooseTheme(chosen);
    setTheme(chosen);
  };
  const { shell, keys } = texts;
  const groups = [
    {
      title: shell.theme,
      actions: themes.map((one) => ({ text: shell.themes[one], isChosen: one === theme, run: () => choose(one) })),
    },
    {
      actions: [
        { text: keys.title, run: () => void showHelp() },
        { text: shell.reference, href: 'docs', run: () => {} },
      ],
    },
    { actions: [{ text: shell.signOut, run: () => void signOut() }] },
  ];
  const who = html`<bdi>${name}</bdi> · <bdi>${organization}</bdi>`;
  return html`<${Menu}
    ...${{ label: shell.account, groups, kind: 'button quiet account', head: html`<p class="muted">${who}</p>` }}
  >
    <svg viewBox="0 0 16 16" aria-hidden="true">
      <circle cx="8" cy="5.5" r="2.5" />
      <path d="M3 13.5c.6-2.6 2.5-4 5-4s4.4 1.4 5 4" />
    </svg>
    <span class="who">${who}</span>
  <//>`;
}
