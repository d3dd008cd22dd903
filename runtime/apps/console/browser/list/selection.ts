import { html } from 'htm/preact';
import { createContext, type VNode } from 'preact';
import { useContext, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { RecordData } from '../api.ts';
import { texts } from '../texts.ts';

/** The records of a list that are chosen, and what changes the choice. Rows are named by their place on the page. */
export interface Selection {
  /** As they were seen last, by their ids. */
  readonly records: ReadonlyMap<string, RecordData>;
  /** All records that the filter finds are chosen, also those of other pages. */
  readonly isAll: boolean;
  readonly count: number;
  /** Whether all rows of the page are chosen. */
  readonly hasPage: boolean;
  readonly has: (id: string) => boolean;
  readonly toggle: (row: number) => void;
  /** Chooses the rows from the one that was toggled last, or else from `from`, to another one. */
  readonly extend: (to: number, from?: number) => void;
  readonly togglePage: () => void;
  readonly chooseAll: () => void;
  /** Leaves only these records chosen; none by default. */
  readonly keep: (ids?: ReadonlySet<string>) => void;
}

interface State {
  /** The filter that the choice is of. */
  readonly filter: string;
  readonly records: ReadonlyMap<string, RecordData>;
  readonly isAll: boolean;
}

/** The row that a range begins at, and what was chosen beside the range. */
interface Anchor {
  readonly id: string;
  readonly beside: ReadonlyMap<string, RecordData>;
}

const idOf = (record: RecordData | undefined): string => String(record?.['id']);

const withRows = (
  records: ReadonlyMap<string, RecordData>,
  rows: readonly RecordData[],
): ReadonlyMap<string, RecordData> => new Map([...records, ...rows.map((row) => [idOf(row), row] as const)]);

const withoutRows = (
  records: ReadonlyMap<string, RecordData>,
  rows: readonly RecordData[],
): ReadonlyMap<string, RecordData> => {
  const ids = new Set(rows.map(idOf));
  return new Map([...records].filter(([id]) => !ids.has(id)));
};

/**
 * Keeps which records of a list are chosen, over its pages. Another filter begins with none.
 *
 * @param rows of the page that is shown
 * @param total of the records that the filter finds
 */
export function useSelection(filter: string, rows: readonly RecordData[], total: number): Selection {
  const empty: State = { filter, records: new Map(), isAll: false };
  const [kept, setState] = useState(empty);
  const state = kept.filter === filter ? kept : empty;
  const anchor = useRef<Anchor>(undefined);
  // A row that is shown again is seen as it is now.
  useEffect(() => {
    const seen = rows.filter((row) => state.records.has(idOf(row)) && state.records.get(idOf(row)) !== row);
    if (seen.length > 0) setState({ ...state, records: withRows(state.records, seen) });
  }, [rows]);
  return useMemo(() => {
    const { records, isAll } = state;
    const has = (id: string): boolean => isAll || records.has(id);
    const chosen = isAll ? withRows(new Map(), rows) : records;
    const set = (next: ReadonlyMap<string, RecordData>): void => setState({ filter, records: next, isAll: false });
    const hasPage = rows.length > 0 && rows.every((row) => has(idOf(row)));
    const toggle = (at: number): void => {
      const row = rows[at];
      if (!row) return;
      const id = idOf(row);
      const beside = withoutRows(chosen, [row]);
      anchor.current = { id, beside };
      set(has(id) ? beside : withRows(beside, [row]));
    };
    const extend = (to: number, from = to): void => {
      const begun = rows.findIndex((row) => idOf(row) === anchor.current?.id && has(idOf(row)));
      const start = begun < 0 ? from : begun;
      if (begun < 0) anchor.current = { id: idOf(rows[start]), beside: chosen };
      const range = rows.slice(Math.min(start, to), Math.max(start, to) + 1);
      set(withRows(anchor.current?.beside ?? chosen, range));
    };
    return {
      records: chosen,
      isAll,
      count: isAll ? total : records.size,
      hasPage,
      has,
      toggle,
      extend,
      togglePage: () => set(hasPage ? withoutRows(chosen, rows) : withRows(chosen, rows)),
      chooseAll: () => setState({ filter, records: chosen, isAll: true }),
      keep: (ids = new Set()) => set(new Map([...chosen].filter(([id]) => ids.has(id)))),
    };
  }, [state, rows, total, filter]);
}

/** For the check boxes of rows: these are drawn anew when the choice changes, and nothing else of their rows. */
export const SelectionContext = createContext<Selection>(undefined as never);

/** The check box of a row. With Shift, it chooses all rows from the last one on. */
export function RowCheck({ id, row, name }: { id: string; row: number; name: string }): VNode {
  const { has, toggle, extend } = useContext(SelectionContext);
  const press = (event: MouseEvent): void => {
    event.stopPropagation();
    if (event.shiftKey) extend(row);
    else toggle(row);
  };
  // With Shift, the browser would select the text between.
  const hold = (event: MouseEvent): void => void (event.shiftKey && event.preventDefault());
  return html`<label class="row-check" onMouseDown=${hold} onClick=${(event: Event) => event.stopPropagation()}>
    <input type="checkbox" tabindex="-1" aria-label=${texts.list.select(name)} checked=${has(id)} onClick=${press} />
  </label>`;
}

/** The check box of all rows of the page. */
export function PageCheck(): VNode {
  const { records, hasPage, togglePage } = useContext(SelectionContext);
  return html`<label class="row-check">
    <input
      type="checkbox"
      aria-label=${texts.list.selectPage}
      checked=${hasPage}
      indeterminate=${!hasPage && records.size > 0}
      onChange=${togglePage}
    />
  </label>`;
}
