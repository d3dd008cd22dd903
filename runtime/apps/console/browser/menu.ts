import { html } from 'htm/preact';
import type { ComponentChildren, VNode } from 'preact';
import { useId, useRef } from 'preact/hooks';

/** An entry of a menu: it acts, leads to a place, or is a choice. */
export interface Action {
  readonly text: string;
  readonly run: () => void;
  /** The page that the browser opens then. */
  readonly href?: string;
  /** It takes something away. */
  readonly isDanger?: boolean;
  /** Why it cannot be used now. */
  readonly whyNot?: string | undefined;
  /** Whether it is chosen, of entries that are choices: the menu stays open for another one. */
  readonly isChosen?: boolean;
}

/** Entries that belong together: a line is between groups. */
interface ActionGroup {
  readonly title?: string;
  readonly actions: readonly Action[];
}

interface MenuProps {
  /** The name of the menu, and of its button if that shows nothing but three dots. */
  readonly label: string;
  readonly groups: readonly ActionGroup[];
  /** The class of the button. */
  readonly kind?: string;
  /** The content of the button. */
  readonly children?: ComponentChildren;
  /** Shown above the entries. */
  readonly head?: ComponentChildren;
}

/** The places that keys lead to in a menu of so many entries. */
const moves: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (Math.max(at, 0) - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

const dots = html`<svg viewBox="0 0 16 16" aria-hidden="true"><path d="M3.5 8h.01M8 8h.01M12.5 8h.01" /></svg>`;

interface EntryProps {
  readonly action: Action;
  readonly isFirst: boolean;
  readonly close: () => void;
}

function Entry({ action, isFirst, close }: EntryProps): VNode {
  const { text, run, href, isDanger, whyNot, isChosen } = action;
  const reason = useId();
  /** Closes the menu, so that the focus is on its button, and then acts. */
  const act = (): void => {
    if (whyNot !== undefined) return;
    if (isChosen === undefined) close();
    run();
  };
  return html`<${href === undefined ? 'button' : 'a'}
      type=${href === undefined ? 'button' : undefined}
      href=${href}
      role=${isChosen === undefined ? 'menuitem' : 'menuitemradio'}
      class=${isDanger ? 'danger' : undefined}
      tabindex="-1"
      autofocus=${isFirst}
      aria-checked=${isChosen === undefined ? undefined : String(isChosen)}
      aria-disabled=${whyNot === undefined ? undefined : 'true'}
      aria-describedby=${whyNot === undefined ? undefined : reason}
      onClick=${act}
    >
      ${text}
    <//>
    ${whyNot !== undefined && html`<small id=${reason} class="muted" role="presentation">${whyNot}</small>`}`;
}

/** A button, and the menu that it opens; nothing without entries. The browser closes it on Escape, and on a click elsewhere. */
export function Menu({ label, groups, kind = 'icon-button', children, head }: MenuProps): VNode | undefined {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const shown = groups.filter(({ actions }) => actions.length > 0);
  const all = shown.flatMap(({ actions }) => actions);
  if (all.length === 0) return undefined;
  const first = all.find(({ isChosen }) => isChosen) ?? all[0];
  const close = (): void => box.current?.hidePopover();
  const keyDown = (event: KeyboardEvent): void => {
    const { key, ctrlKey, metaKey, altKey } = event;
    // The page would leave its record.
    if (key === 'Escape') event.stopPropagation();
    if (key === 'Tab') close();
    if (ctrlKey || metaKey || altKey) return;
    const entries = [...(box.current?.querySelectorAll<HTMLElement>('[role^="menuitem"]') ?? [])];
    const at = entries.indexOf(document.activeElement as HTMLElement);
    const begins = (entry: HTMLElement): boolean => entry.innerText.trim().toLowerCase().startsWith(key.toLowerCase());
    const to = moves[key]
      ? entries[moves[key](at, entries.length)]
      : [...entries.slice(at + 1), ...entries].find((entry) => key.trim().length === 1 && begins(entry));
    if (!to) return;
    event.preventDefault();
    to.focus();
  };
  return html`<button
      type="button"
      class=${kind}
      popovertarget=${id}
      aria-haspopup="menu"
      aria-label=${children ? undefined : label}
      title=${children ? undefined : label}
    >
      ${children ?? dots}
    </button>
    <div id=${id} class="menu-box" popover="auto" ref=${box} onKeyDown=${keyDown}>
      ${head}
      <div role="menu" aria-label=${label}>
        ${shown.map(
          ({ title, actions }, at) => html`
            ${at > 0 && html`<div role="separator"></div>`}
            <div role="group" aria-label=${title}>
              ${title && html`<div class="muted" role="presentation">${title}</div>`}
              ${actions.map(
                (action) => html`<${Entry} key=${action.text} ...${{ action, isFirst: action === first, close }} />`,
              )}
            </div>
          `,
        )}
      </div>
    </div>`;
}
