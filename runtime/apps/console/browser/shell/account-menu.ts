import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { Key } from '../api.ts';
import { showHelp } from '../keyboard-help.ts';
import { texts } from '../texts.ts';
import { chooseTheme, chosenTheme, type Theme, themes } from '../theme.ts';

interface AccountMenuProps {
  readonly apiKey: Key;
  readonly signOut: () => Promise<void>;
}

/** The places that keys lead to in a menu of so many items. */
const moves: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

/** The button with the name of the key and its organization, and the menu that it opens. The browser closes it on Escape, and on a click elsewhere. */
export function AccountMenu({ apiKey, signOut }: AccountMenuProps): VNode {
  const box = useRef<HTMLDivElement>(null);
  const [theme, setTheme] = useState(chosenTheme());
  const move = (event: KeyboardEvent): void => {
    if (event.key === 'Tab') box.current?.hidePopover();
    const next = moves[event.key];
    if (!next) return;
    event.preventDefault();
    const items = [...(box.current?.querySelectorAll<HTMLElement>('[role^="menuitem"]') ?? [])];
    items[next(items.indexOf(document.activeElement as HTMLElement), items.length)]?.focus();
  };
  /** Closes the menu, so that the focus is on its button, and then acts. */
  const choose = (act: () => unknown) => (): void => {
    box.current?.hidePopover();
    act();
  };
  const item = (label: string, act: () => unknown): VNode =>
    html`<button type="button" role="menuitem" tabindex="-1" onClick=${choose(act)}>${label}</button>`;
  const themeItem = (name: Theme): VNode =>
    html`<button
      key=${name}
      type="button"
      role="menuitemradio"
      tabindex="-1"
      autofocus=${name === theme}
      aria-checked=${name === theme ? 'true' : 'false'}
      onClick=${() => {
        chooseTheme(name);
        setTheme(name);
      }}
    >
      ${texts.shell.themes[name]}
    </button>`;
  const { name, organization } = apiKey;
  const who = html`<bdi>${name}</bdi> · <bdi>${organization}</bdi>`;
  return html`<button type="button" class="button quiet account" popovertarget="account-menu" aria-haspopup="menu">
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <circle cx="8" cy="5.5" r="2.5" />
        <path d="M3 13.5c.6-2.6 2.5-4 5-4s4.4 1.4 5 4" />
      </svg>
      <span class="who">${who}</span>
    </button>
    <div id="account-menu" class="account-menu" popover="auto" ref=${box} onKeyDown=${move}>
      <p class="muted">${who}</p>
      <div role="menu" aria-label=${texts.shell.account}>
        <div role="group" aria-labelledby="theme-label">
          <div id="theme-label" class="muted" role="presentation">${texts.shell.theme}</div>
          ${themes.map(themeItem)}
        </div>
        <div role="separator"></div>
        ${item(texts.keys.title, () => void showHelp())}
        <a role="menuitem" tabindex="-1" href="docs" onClick=${choose(() => {})}>${texts.shell.reference}</a>
        <div role="separator"></div>
        ${item(texts.shell.signOut, () => void signOut())}
      </div>
    </div>`;
}
