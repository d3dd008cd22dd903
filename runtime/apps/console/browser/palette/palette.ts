import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { openModal } from '../dialog.ts';
import { valueOf } from '../events.ts';
import { References } from '../reference.ts';
import { texts } from '../texts.ts';
import { type Command, type Group, matches, ranked } from './command.ts';
import { localGroups, type PaletteProps } from './commands.ts';
import { noteOf, useRecent, useRecords } from './records.ts';

/** So many entries of a group are shown for a text. */
const maxMatches = 6;

interface OptionsProps {
  readonly groups: readonly Group[];
  readonly active: string | undefined;
  readonly setActive: (key: string) => void;
  readonly choose: (command: Command) => void;
}

/** The groups of entries, as a list box. */
function Options({ groups, active, setActive, choose }: OptionsProps): VNode {
  const option = (command: Command, isLate: boolean): VNode => {
    const { key, label, hint } = command;
    return html`<div
      key=${key}
      id=${`palette ${key}`.replaceAll(/\s/g, '_')}
      role="option"
      aria-selected=${key === active ? 'true' : 'false'}
      aria-disabled=${isLate ? 'true' : undefined}
      onPointerMove=${() => !isLate && key !== active && setActive(key)}
      onClick=${() => !isLate && choose(command)}
    >
      <bdi>${label}</bdi> ${hint && html`<bdi class="muted">${hint}</bdi>`}
    </div>`;
  };
  return html`<div id="palette-options" class="palette-options" role="listbox" aria-label=${texts.palette.title}>
    ${groups.map(
      ({ title, commands, isLate = false }, at) =>
        html`<div key=${`${at} ${title}`} role="group" aria-labelledby=${`palette-group-${at}`}>
          <div id=${`palette-group-${at}`} class="palette-group muted" role="presentation">${title}</div>
          ${commands.map((command) => option(command, isLate))}
        </div>`,
    )}
  </div>`;
}

/** A search over pages, actions, lists with a name, and records. @param close is given what was chosen */
function Palette(props: PaletteProps & { close: (command: Command) => void }): VNode {
  const { session, close } = props;
  const references = useMemo(() => new References(session), []);
  const [typed, setTyped] = useState('');
  const [moved, setMoved] = useState<string>();
  const box = useRef<HTMLDivElement>(null);
  const text = typed.trim();
  const recent = useRecent(session, references);
  // The page below stays as it is.
  const local = useMemo(() => localGroups(props, recent), [recent.length]);
  const found = local.map((group) => ({ ...group, commands: group.commands.filter((one) => matches(one, text)) }));
  const search = useRecords(session, references, text);
  const groups = ranked([...found, ...search.groups], text)
    .filter(({ commands }) => commands.length > 0)
    .map((group) => (text === '' ? group : { ...group, commands: group.commands.slice(0, maxMatches) }));
  const options = groups.flatMap(({ commands, isLate }) => (isLate ? [] : commands));
  // Before a text is typed, Enter does nothing by itself.
  const active = options.find(({ key }) => key === moved) ?? (text === '' ? undefined : options[0]);
  useLayoutEffect(() => {
    box.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [active?.key]);
  const keyDown = (event: KeyboardEvent): void => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by !== undefined && options.length > 0) {
      event.preventDefault();
      const at = options.findIndex(({ key }) => key === active?.key);
      const next = at < 0 && by < 0 ? -1 : at + by;
      setMoved(options.at(next % options.length)?.key);
    } else if (event.key === 'Enter' && !event.isComposing) {
      event.preventDefault();
      if (active) close(active);
    }
  };
  const type = (event: Event): void => {
    setTyped(valueOf(event));
    setMoved(undefined);
  };
  return html`<div class="palette" ref=${box}>
    <h2 id="palette-title" class="hidden">${texts.palette.title}</h2>
    <input
      role="combobox"
      aria-label=${texts.palette.title}
      aria-expanded="true"
      aria-controls="palette-options"
      aria-autocomplete="list"
      aria-activedescendant=${active && `palette ${active.key}`.replaceAll(/\s/g, '_')}
      placeholder=${texts.palette.placeholder}
      autocomplete="off"
      spellcheck=${false}
      maxlength="200"
      autofocus
      value=${typed}
      onInput=${type}
      onKeyDown=${keyDown}
    />
    <${Options} ...${{ groups, active: active?.key, setActive: setMoved, choose: close }} />
    <p class="muted palette-note" role="status">${noteOf(search, groups.length === 0)}</p>
  </div>`;
}

/** Opens the search over everything, and does what is chosen in it. */
export async function openPalette(props: PaletteProps): Promise<void> {
  let chosen: Command | undefined;
  await openModal('palette-title', (close) => {
    const choose = (command: Command): void => {
      chosen = command;
      close();
    };
    return html`<${Palette} ...${props} close=${choose} />`;
  });
  await chosen?.run();
}
