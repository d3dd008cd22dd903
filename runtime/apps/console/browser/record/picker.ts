import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useContext, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { RecordData } from '../api.ts';
import { valueOf } from '../events.ts';
import type { Resource } from '../model.ts';
import { ReferencesContext, useTarget } from '../reference.ts';
import { common, type ControlProps } from './control-props.ts';
import { meantBy, meantOf, type Offer, type Option, useOffer } from './offer.ts';
import { emptied } from './values.ts';
import { texts } from '../texts.ts';

interface OffersProps {
  readonly id: string;
  readonly resource: Resource;
  readonly offer: Offer;
  /** The place of the option that Enter chooses. */
  readonly active: number;
  readonly input: HTMLElement;
  readonly choose: (record: RecordData) => void;
}

/** The options of a picker, in a box above the page: the style sheet puts it at the input. */
function Offers({ id, resource, offer, active, input, choose }: OffersProps): VNode {
  const box = useRef<HTMLDivElement>(null);
  const { options, note } = offer;
  useLayoutEffect(() => box.current?.showPopover({ source: input }), []);
  useLayoutEffect(() => box.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' }));
  const keepFocus = (event: Event): void => event.preventDefault();
  return html`<div class="offers" popover="manual" ref=${box} onPointerDown=${keepFocus} onMouseDown=${keepFocus}>
    ${
      options.length > 0 &&
      html`<ul role="listbox" id=${`${id}-options`} aria-label=${resource.title}>
        ${options.map(
          (option, at) =>
            html`<li
              key=${option.record['id']}
              id=${`${id}-option-${at}`}
              role="option"
              aria-selected=${at === active ? 'true' : 'false'}
              onClick=${() => choose(option.record)}
            >
              <bdi>${option.label}</bdi> ${option.hint && html`<bdi class="muted">${option.hint}</bdi>`}
            </li>`,
        )}
      </ul>`
    }
    <p class="muted" role="status">${note}</p>
  </div>`;
}

/** A field that names a record of one of some resources: of several, one is chosen first. */
export function Pickers({ resources, ...props }: ControlProps & { readonly resources: readonly Resource[] }): VNode {
  const { field, input, base, onInput } = props;
  const references = useContext(ReferencesContext);
  const [chosen, setChosen] = useState<string>();
  const named = typeof input === 'string' && input !== '' ? references.routeOf(field.references ?? [], input) : chosen;
  const resource = resources.find(({ route }) => route === named) ?? (resources[0] as Resource);
  const picker = html`<${Picker} key=${resource.route} ...${{ ...props, resource }} />`;
  if (resources.length === 1) return picker;
  const choose = (event: Event): void => {
    setChosen(valueOf(event));
    onInput(emptied(field, base));
  };
  return html`<div class="pickers">
    <select aria-label=${texts.field.kindOf(field.title)} value=${resource.route} onChange=${choose}>
      ${resources.map(({ route, title }) => html`<option key=${route} value=${route}>${title}</option>`)}
    </select>
    ${picker}
  </div>`;
}

type PickerProps = ControlProps & { readonly resource: Resource };

/** The text that is typed into a picker, the records that are found for it, and what keys do. */
function usePicking({ field, base, resource, onInput }: PickerProps, value: string) {
  const references = useContext(ReferencesContext);
  /** The typed text; undefined while the field shows its record. */
  const [text, setText] = useState<string>();
  const [chosenAt, setChosenAt] = useState(-1);
  const latest = useRef(value);
  latest.current = value;
  const offer = useOffer(resource, text?.trim());
  const { options = [], isLate = true } = offer ?? {};
  // The best of what was found is a key away; nothing is chosen by opening the list.
  const active = isLate ? -1 : Math.min(chosenAt, options.length - 1);
  const close = (): void => {
    setText(undefined);
    setChosenAt(-1);
  };
  const choose = (record: RecordData): void => {
    references.learn(resource, record);
    onInput(String(record['id']));
    close();
  };
  const type = (event: Event): void => {
    const typed = valueOf(event);
    setText(typed);
    setChosenAt(typed.trim() === '' ? -1 : 0);
    if (typed === '') onInput(emptied(field, base));
  };
  // A typed text becomes the record that it means. No other text is lost: the server says that it names none.
  const settle = (): void => {
    const typed = text?.trim() ?? '';
    close();
    if (typed === '') return;
    const take = (record: RecordData | undefined): void => record && choose(record);
    onInput(typed);
    latest.current = typed;
    if (offer && !isLate) take(meantOf(offer, typed));
    else void meantBy(references, resource, typed).then((record) => latest.current === typed && take(record));
  };
  const move = (by: 1 | -1): void => {
    if (text === undefined) setText('');
    else if (options.length > 0)
      setChosenAt((Math.max(active, by === 1 ? -1 : 0) + by + options.length) % options.length);
  };
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    Enter: () => (active >= 0 ? choose((options[active] as Option).record) : settle()),
    Escape: close,
  };
  const keyDown = (event: KeyboardEvent): void => {
    const { key, altKey, ctrlKey, metaKey } = event;
    // A save comes after it.
    if (/^(?:s|enter)$/i.test(key) && (ctrlKey || metaKey)) settle();
    if (altKey || ctrlKey || metaKey || event.isComposing || !keys[key]) return;
    if (text === undefined && !key.startsWith('Arrow')) return;
    event.preventDefault();
    event.stopPropagation();
    keys[key]();
  };
  /** Whether it was closed. */
  const open = (): boolean => {
    if (text === undefined) setText('');
    return text === undefined;
  };
  return { text, offer, active, options, choose, type, settle, keyDown, open };
}

/** A field that names a record: what is typed is looked for, and the record that is chosen has its name in the field. */
function Picker(props: PickerProps): VNode {
  const { field, id, input, resource } = props;
  const control = useRef<HTMLInputElement>(null);
  const value = typeof input === 'string' ? input : '';
  const target = useTarget(field.references, value);
  const { text, offer, active, options, choose, type, settle, keyDown, open } = usePicking(props, value);
  const hasOptions = options.length > 0;
  return html`<div class="picker">
    <input
      ...${common(props)}
      ref=${control}
      type="text"
      role="combobox"
      aria-autocomplete="list"
      aria-expanded=${hasOptions ? 'true' : 'false'}
      aria-controls=${hasOptions ? `${id}-options` : undefined}
      aria-activedescendant=${active >= 0 ? `${id}-option-${active}` : undefined}
      autocomplete="off"
      spellcheck=${false}
      maxlength="200"
      placeholder=${texts.field.search(resource.title)}
      value=${text || (value === '' ? '' : (target?.label ?? '…'))}
      onClick=${() => open() && control.current?.select()}
      onInput=${type}
      onKeyDown=${keyDown}
      onBlur=${settle}
    />
    ${
      target?.href &&
      html`<a
        class="icon-button"
        href=${target.href}
        aria-label=${texts.field.open(target.label)}
        title=${texts.field.open(target.label)}
      >
        <svg viewBox="0 0 16 16" aria-hidden="true"><path d="M6 4h6v6M12 4 4 12" /></svg>
      </a>`
    }
    ${offer && control.current && html`<${Offers} ...${{ id, resource, offer, active, input: control.current, choose }} />`}
  </div>`;
}
