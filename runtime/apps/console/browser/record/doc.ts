import { html } from 'htm/preact';
import type { VNode } from 'preact';

/** The words of a spec about a field; what it writes in backticks is a name or a value. */
export const Doc = ({ text }: { text: string }): VNode =>
  html`${text.split(/`([^`]+)`/).map((part, at) => (at % 2 === 1 ? html`<code key=${at}>${part}</code>` : part))}`;
