import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { counted } from '../text.ts';
import type { ControlProps } from './control-props.ts';
import { withLineEnds } from './values.ts';

/** Longer texts are shown by their beginnings: a text area of megabytes keeps a browser busy for minutes. */
export const maxInline = 50_000;

/** Still longer ones are replaced as a whole. */
const maxEdited = 1_000_000;

const previewLength = 400;

function download(name: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  link.download = `${name}.txt`;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** A very long text: its beginning and its length. It can be saved as a file, and edited or replaced. */
export function LargeText(props: ControlProps): VNode {
  const { field, id, input, stored, isInvalid, describedBy, label = field.title, onInput } = props;
  const [isOpen, setOpen] = useState(false);
  const text = typeof input === 'string' ? input : '';
  const isEditable = text.length <= maxEdited;
  const open = (): void => {
    if (!isEditable) onInput('');
    setOpen(true);
  };
  if (isOpen && isEditable) {
    return html`<textarea
      id=${id}
      name=${field.name}
      class="fixed"
      rows="12"
      spellcheck=${false}
      aria-label=${label}
      aria-describedby=${describedBy}
      aria-invalid=${isInvalid ? 'true' : undefined}
      value=${text}
      onInput=${({ currentTarget }: Event & { currentTarget: HTMLTextAreaElement }) =>
        onInput(withLineEnds(currentTarget.value, stored))}
    />`;
  }
  return html`<div class="large" id=${id} role="group" aria-label=${label} aria-describedby=${describedBy}>
    <bdi class="large-preview">${text.slice(0, previewLength)}…</bdi>
    <div class="large-actions">
      <span class="muted">${counted(text.length, 'character')}</span>
      <button type="button" class="button quiet" onClick=${() => download(field.name, text)}>Download</button>
      <button type="button" class="button quiet" onClick=${open}>${isEditable ? 'Edit' : 'Replace'}</button>
    </div>
  </div>`;
}
