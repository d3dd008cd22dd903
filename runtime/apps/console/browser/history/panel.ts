import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { Events, type EventsProps } from './list.ts';
import { texts } from '../texts.ts';

/** The events of a record, below it. They are read when it is opened. */
export function History(props: EventsProps): VNode {
  const [isOpen, setOpen] = useState(false);
  return html`<section class="fields" aria-label=${texts.history.history}>
    <details onToggle=${(event: ToggleEvent) => setOpen(event.newState === 'open')}>
      <summary><h2>${texts.history.history}</h2></summary>
      ${isOpen && html`<${Events} ...${props} />`}
    </details>
  </section>`;
}
