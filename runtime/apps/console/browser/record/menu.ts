import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { Popover } from '../list/popover.ts';
import { usePageCommands } from '../page-commands.ts';
import { texts } from '../texts.ts';

/** An entry of a menu. */
export interface Action {
  readonly text: string;
  readonly run: () => void;
  /** It takes something away. */
  readonly isDanger?: boolean;
}

/** A button that opens the actions which are rarely needed; none if there are none. */
export function Menu({ actions }: { readonly actions: readonly Action[] }): VNode | undefined {
  const [isOpen, setOpen] = useState(false);
  usePageCommands(actions);
  if (actions.length === 0) return undefined;
  const close = (): void => setOpen(false);
  const move = (event: KeyboardEvent): void => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const entries = [...(event.currentTarget as HTMLElement).querySelectorAll('button')];
    const at = entries.indexOf(document.activeElement as HTMLButtonElement);
    entries[(at + by + entries.length) % entries.length]?.focus();
  };
  return html`<div class="more-actions">
    <button
      type="button"
      class="icon-button"
      aria-expanded=${isOpen ? 'true' : 'false'}
      aria-label=${texts.record.moreActions}
      title=${texts.record.moreActions}
      onClick=${() => setOpen(!isOpen)}
    >
      <svg viewBox="0 0 16 16" aria-hidden="true"><path d="M3.5 8h.01M8 8h.01M12.5 8h.01" /></svg>
    </button>
    ${
      isOpen &&
      html`<${Popover} label=${texts.record.moreActions} close=${close}>
        <ul class="menu-list" onKeyDown=${move}>
          ${actions.map(({ text, run, isDanger }) => {
            const act = (): void => {
              close();
              run();
            };
            return html`<li key=${text}>
              <button type="button" class=${isDanger ? 'danger' : undefined} onClick=${act}>${text}</button>
            </li>`;
          })}
        </ul>
      <//>`
    }
  </div>`;
}
