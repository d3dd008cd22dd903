import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { dragRow } from '../drag-rows.ts';
import { valueOf } from '../events.ts';
import type { Field, Resource } from '../model.ts';
import { texts } from '../texts.ts';
import { type Layout, maxWidth, minWidth, possibleColumns, withWidth } from './columns.ts';

interface ColumnsEditorProps {
  readonly resource: Resource;
  readonly columns: readonly Field[];
  readonly layout: Layout;
  readonly setNames: (names: readonly string[]) => void;
  readonly setLayout: (layout: Layout) => void;
  /** Shows the columns of the spec again, with their usual widths. */
  readonly reset: () => void;
}

/** As many fields are seen at once: more of them can be searched. */
const manyFields = 12;

/** Chooses the columns of a list, their order and their widths. */
export function ColumnsEditor({ resource, columns, layout, setNames, setLayout, reset }: ColumnsEditorProps): VNode {
  const [words, setWords] = useState('');
  const [said, say] = useState('');
  const list = useRef<HTMLUListElement>(null);
  /** The element that gets the focus once the list is drawn anew: it may have moved. */
  const wanted = useRef('');
  useLayoutEffect(() => {
    if (wanted.current !== '') list.current?.querySelector<HTMLElement>(wanted.current)?.focus();
    wanted.current = '';
  });
  const names = columns.map(({ name }) => name);
  const possible = possibleColumns(resource);
  const isFound = ({ title }: Field): boolean => title.toLowerCase().includes(words.trim().toLowerCase());
  const others = possible
    .filter(({ name }) => !names.includes(name))
    .toSorted((a, b) => a.title.localeCompare(b.title));

  /** The names while a row is dragged: its moves come faster than the list is drawn. */
  const latest = useRef(names);
  latest.current = names;
  const move = (from: number, to: number): void => {
    if (to < 0 || to >= names.length) return;
    const moved = latest.current.toSpliced(from, 1).toSpliced(to, 0, latest.current[from] as string);
    latest.current = moved;
    setNames(moved);
  };
  const announce = (title: string, to: number): void => say(texts.columns.moved(title, to + 1, names.length));
  const onKeyDown = (event: KeyboardEvent, { name, title }: Field, at: number): void => {
    const to = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: names.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    if (to < 0 || to >= names.length || to === at) return;
    wanted.current = `[data-name="${name}"] .handle`;
    move(at, to);
    announce(title, to);
  };
  const toggle = (name: string): void => {
    wanted.current = `[data-name="${name}"] [type=checkbox]`;
    setNames(names.includes(name) ? names.filter((other) => other !== name) : [...names, name]);
  };
  const setWidth = (name: string, event: Event): void => {
    const width = Number.parseInt(valueOf(event), 10);
    setLayout(withWidth(layout, name, width > 0 ? width : undefined));
  };

  const check = ({ name, title }: Field, isOnly: boolean): VNode =>
    html`<label>
      <input type="checkbox" checked=${names.includes(name)} disabled=${isOnly} onChange=${() => toggle(name)} />
      <span>${title}</span>
    </label>`;
  const chosen = (field: Field, at: number): VNode =>
    html`<li key=${field.name} data-row=${at} data-name=${field.name}>
      <button
        type="button"
        class="handle"
        aria-label=${texts.columns.move(field.title)}
        title=${texts.columns.moveTitle}
        onPointerDown=${(event: PointerEvent) => dragRow(event, at, move, (to) => announce(field.title, to))}
        onKeyDown=${(event: KeyboardEvent) => onKeyDown(event, field, at)}
      >
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <path d="M6 4h.01M6 8h.01M6 12h.01M10 4h.01M10 8h.01M10 12h.01" />
        </svg>
      </button>
      ${check(field, names.length === 1)}
      <input
        type="number"
        min=${minWidth}
        max=${maxWidth}
        step="8"
        placeholder=${texts.columns.automatic}
        aria-label=${texts.columns.width(field.title)}
        title=${texts.columns.width(field.title)}
        value=${layout.widths[field.name] ?? ''}
        onChange=${(event: Event) => setWidth(field.name, event)}
      />
    </li>`;
  return html`<div class="columns-editor">
    ${
      possible.length > manyFields &&
      html`<input
        type="search"
        aria-label=${texts.columns.find}
        placeholder=${texts.columns.find}
        value=${words}
        onInput=${(event: Event) => setWords(valueOf(event))}
      />`
    }
    <ul data-rows ref=${list}>
      ${columns.map(chosen)}
      ${others.filter(isFound).map((field) => html`<li key=${field.name} data-name=${field.name}>${check(field, false)}</li>`)}
    </ul>
    <p class="hidden" role="status">${said}</p>
    <div class="actions">
      <button type="button" class="button quiet" onClick=${reset}>${texts.columns.reset}</button>
    </div>
  </div>`;
}
