import { html } from 'htm/preact';
import type { RefObject, VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import type { RecordData } from '../api.ts';
import { Cell, decimalsOf, stagesOf, textOf } from '../cell.ts';
import type { Field, Resource } from '../model.ts';
import { hrefOf } from '../route.ts';
import type { Sort } from './query.ts';
import { heights, useVisibleRows } from './rows.ts';

interface TableProps {
  readonly resource: Resource;
  readonly rows: readonly RecordData[];
  /** The place of the first row in the whole list, from 1. */
  readonly start: number;
  readonly total: number;
  readonly sort: readonly Sort[];
  readonly onSort: (field: string, add: boolean) => void;
  readonly box: RefObject<HTMLElement | null>;
  readonly isBusy: boolean;
}

const isNumber = ({ type }: Field): boolean => type === 'number' || type === 'integer';

const orders = { ascending: '↑', descending: '↓' } as const;

/** Characters that a column is wide, at least and at most. */
const widths = { least: 11, most: 34 };

/** How wide a column is, in characters: fixed, so that scrolling to longer values moves nothing. */
function widthOf(field: Field, rows: readonly RecordData[]): number {
  const lengths = rows.map((row) => textOf(row[field.name], field).length);
  const longest = lengths.reduce((most, length) => Math.max(most, length), field.title.length + 2);
  return Math.min(Math.max(longest + 3, widths.least), widths.most);
}

interface HeaderProps {
  readonly field: Field;
  readonly sort: readonly Sort[];
  readonly isSortable: boolean;
  readonly onSort: TableProps['onSort'];
}

function Header({ field, sort, isSortable, onSort }: HeaderProps): VNode {
  const current = sort.find((one) => one.field === field.name);
  const order = current && (current.descending ? 'descending' : 'ascending');
  const align = isNumber(field) ? 'number' : undefined;
  if (!isSortable) return html`<th scope="col" class=${align} title=${field.doc}>${field.title}</th>`;
  const sortBy = (event: MouseEvent): void => onSort(field.name, event.shiftKey);
  return html`<th scope="col" class=${align} aria-sort=${order ?? 'none'} title=${field.doc}>
    <button onClick=${sortBy}>
      ${field.title}<span class="order" aria-hidden="true">${order ? orders[order] : '↕'}</span>
    </button>
  </th>`;
}

/** The rows of a page; of many, those that are visible. */
export function Table({ resource, rows, start, total, sort, onSort, box, isBusy }: TableProps): VNode {
  const { columns, transitions } = resource;
  const { first, end } = useVisibleRows(box, rows.length, heights.row);
  const stages = useMemo(() => stagesOf(transitions), [transitions]);
  const decimals = useMemo(
    () => new Map(columns.map(({ name }) => [name, decimalsOf(rows.map((row) => row[name]))])),
    [rows, columns],
  );
  const widthsOfColumns = useMemo(() => columns.map((field) => widthOf(field, rows)), [rows, columns]);
  const width = widthsOfColumns.reduce((sum, one) => sum + one, 0);
  // A row that is drawn already is not looked at again.
  const drawn = useMemo(() => new Map<number, VNode>(), [rows, resource]);
  const draw = (index: number): VNode => {
    const record = rows[index] as RecordData;
    const id = String(record['id']);
    const cell = (field: Field, place: number): VNode => {
      const value = record[field.name];
      const content =
        place === 0 && (value === null || value === '')
          ? html`<span class="muted mono">${id}</span>`
          : html`<${Cell}
              value=${value}
              field=${field}
              stages=${stages.get(field.name)}
              decimals=${decimals.get(field.name)}
            />`;
      return html`<td class=${isNumber(field) ? 'number' : undefined}>
        ${place === 0 ? html`<a href=${hrefOf(resource.route, id)}>${content}</a>` : content}
      </td>`;
    };
    return html`<tr key=${id} data-index=${index} aria-rowindex=${start + index + 1}>
      ${columns.map(cell)}
    </tr>`;
  };
  const visible: VNode[] = [];
  for (let index = first; index < Math.min(end, rows.length); index++) {
    let row = drawn.get(index);
    if (!row) drawn.set(index, (row = draw(index)));
    visible.push(row);
  }
  const space = (count: number): VNode | false =>
    count > 0 &&
    html`<tr class="space" aria-hidden="true" style=${{ height: `${count * heights.row}px` }}>
      <td colspan=${columns.length}></td>
    </tr>`;
  return html`<table
    class="table"
    aria-label=${resource.title}
    aria-rowcount=${total + 1}
    aria-busy=${isBusy}
    style=${{ minWidth: `${width}ch` }}
  >
    <colgroup>
      ${widthsOfColumns.map((one) => html`<col style=${{ width: `${(100 * one) / width}%` }} />`)}
    </colgroup>
    <thead>
      <tr aria-rowindex="1">
        ${columns.map(
          (field) =>
            html`<${Header}
              key=${field.name}
              field=${field}
              sort=${sort}
              isSortable=${resource.sort.includes(field.name)}
              onSort=${onSort}
            />`,
        )}
      </tr>
    </thead>
    <tbody>
      ${space(first)} ${visible} ${space(rows.length - end)}
    </tbody>
  </table>`;
}
