import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { Events, type EventsProps } from './list.ts';

/** The events of a record, below it. They are read when it is opened. */
export function History(props: EventsProps): VNode {
  const [isOpen, setOpen] = useState(false);
  return html`<section class="fields" aria-label="History">
    <details onToggle=${(event: ToggleEvent) => setOpen(event.newState === 'open')}>
      <summary><h2>History</h2></summary>
      ${isOpen && html`<${Events} ...${props} />`}
    </details>
  </section>`;
}
