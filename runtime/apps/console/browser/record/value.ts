import { html } from 'htm/preact';
import type { VNode } from 'preact';
import type { Value } from '../api.ts';
import { textOf } from '../cell.ts';
import type { Field } from '../model.ts';

/** Longer texts are cut where they are only shown. */
const maxShown = 20_000;

/** A whole value that cannot be edited: none and an empty text are told apart, and no text reorders what is around it. */
export function ValueView({ field, value }: { field: Field; value: Value | undefined }): VNode {
  if (value === null || value === undefined) return html`<span class="none" aria-label="No value">–</span>`;
  if (value === '') return html`<span class="none">Blank on purpose</span>`;
  const text = textOf(value, field);
  if (text.length <= maxShown) return html`<bdi class="value-text">${text}</bdi>`;
  return html`<bdi class="value-text">${text.slice(0, maxShown)}…</bdi>
    <span class="muted">${text.length.toLocaleString()} characters</span>`;
}
