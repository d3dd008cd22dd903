import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { textOf } from '../value-text.ts';
import { valueOf } from '../events.ts';
import { type Field, isNumeric } from '../model.ts';
import { common, type ControlProps } from './control-props.ts';
import { emptied } from './values.ts';
import { texts } from '../texts.ts';

interface EntriesProps {
  readonly field: Field;
  readonly values: readonly (string | number)[];
  /** For a list that is edited. */
  readonly remove?: (at: number) => void;
}

/** The entries of a list. */
export const Entries = ({ field, values, remove }: EntriesProps): VNode =>
  html`<ul class="entries" aria-label=${field.title}>
    ${values.map((value, at) => {
      // A typed number stays as it was typed.
      const of = field.of ?? field;
      const text = (remove && isNumeric(of) ? String(value) : textOf(value, of)) || '“”';
      const removal =
        remove &&
        html`<button
          type="button"
          aria-label=${texts.field.removeEntry(text)}
          title=${texts.field.remove}
          onClick=${() => remove(at)}
        >
          ×
        </button>`;
      return html`<li key=${at}><bdi>${text}</bdi>${removal}</li>`;
    })}
  </ul>`;

/** A list: its entries, and a control that adds one. The text in that is the last entry already, so that no save forgets it. */
export function ListInput(props: ControlProps): VNode {
  const { field, input, base, onInput } = props;
  const { format, type, values } = field.of as Field;
  const entries = Array.isArray(input) ? (input as readonly string[]) : [];
  const [isTyping, setTyping] = useState(false);
  const control = useRef<HTMLElement>(null);
  const typed = isTyping ? entries.at(-1) : undefined;
  const finished = typed === undefined ? entries : entries.slice(0, -1);
  const set = (next: readonly string[]): void =>
    onInput(next.length > 0 || Array.isArray(base) ? next : emptied(field, base));
  const remove = (at: number): void => {
    set(entries.toSpliced(at, 1));
    control.current?.focus();
  };
  const choose = (event: Event): void => {
    set([...entries, valueOf(event)]);
    (event.target as HTMLSelectElement).value = '';
  };
  const write = (event: Event): void => {
    const text = valueOf(event);
    set(text === '' ? finished : [...finished, text]);
    setTyping(text !== '');
  };
  const keyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.isComposing || event.ctrlKey || event.metaKey || typed === undefined) return;
    event.preventDefault();
    setTyping(false);
  };
  const options = values?.filter((value) => !field.hasUniqueEntries || !entries.includes(value));
  return html`<div class="list-input">
    <${Entries} field=${field} values=${finished} remove=${remove} />
    ${
      options
        ? html`<select ...${common(props)} ref=${control} value="" onChange=${choose}>
            <option value="">${texts.field.add}</option>
            ${options.map((value) => html`<option key=${value} value=${value}>${value}</option>`)}
          </select>`
        : html`<input
            ...${common(props)}
            ref=${control}
            type=${format === 'date' ? 'date' : 'text'}
            inputmode=${type === 'integer' ? 'numeric' : undefined}
            autocomplete="off"
            spellcheck=${false}
            placeholder=${texts.field.addWithEnter}
            value=${typed ?? ''}
            onInput=${write}
            onKeyDown=${keyDown}
            onBlur=${() => setTyping(false)}
          />`
    }
  </div>`;
}
