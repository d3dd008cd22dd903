import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { type RecordData, urlOf } from '../api.ts';
import { toast } from '../toast.ts';

/** More characters are copied, but not shown. */
const maxShown = 100_000;

/** A text as one word of a POSIX shell. */
const shellQuoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** The command that reads a path with the key in `$KEY`. */
const curlLine = (path: string): string => `curl -H "Authorization: Bearer $KEY" ${shellQuoted(urlOf(path))}`;

async function copy(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast(`${what} copied.`);
  } catch {
    toast(`The browser does not let this page copy. Mark the text, and copy it.`, { isError: true });
  }
}

/** A text to copy. */
function Copyable({ title, name, text }: { title: string; name: string; text: string }): VNode {
  return html`<div class="source">
    <div class="source-head">
      <h3>${title}</h3>
      <button type="button" class="button quiet" onClick=${() => void copy(text, name)}>Copy</button>
    </div>
    <pre tabindex="0" aria-label=${title}>${text.length > maxShown ? `${text.slice(0, maxShown)}…` : text}</pre>
  </div>`;
}

/** A record as programs get it, and the command for it. @param path that of the record */
export function Source({ record, path }: { record: RecordData; path: string }): VNode {
  const [isOpen, setOpen] = useState(false);
  return html`<details
    class="sources"
    open=${isOpen}
    onToggle=${(event: Event) => setOpen((event.currentTarget as HTMLDetailsElement).open)}
  >
    <summary>For programmers</summary>
    ${
      isOpen &&
      html`<${Copyable} title="The command that reads it (curl)" name="The command" text=${curlLine(path)} />
        <${Copyable} title="JSON, as it is stored" name="The JSON" text=${JSON.stringify(record, null, 2)} />`
    }
  </details>`;
}
