import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import type { RecordData } from '../api.ts';
import { Cell } from '../cell.ts';
import { decimalsOf } from '../value-text.ts';
import { archivedAt, type Field, isNumeric, type Resource } from '../model.ts';
import { recordName } from '../name.ts';
import { RecordName } from '../reference.ts';
import { hrefOf } from '../route.ts';
import { stagesOf } from '../stages.ts';
import { isBlank } from '../text.ts';
import {
  beginsWithName,
  type Layout,
  nameColumn,
  shareOut,
  type Width,
  widthOf,
  widthOfNames,
  withWidth,
} from './columns.ts';
import { dragWidth } from './drag-width.ts';
import type { Sort } from './query.ts';
import { isDated } from './relative-dates.ts';
import { PageCheck, RowCheck } from './selection.ts';

interface RowsProps {
  readonly resource: Resource;
  /** The fields that are shown. */
  readonly columns: readonly Field[];
  readonly rows: readonly RecordData[];
  /** The place of the first row in the whole list, from 1. */
  readonly start: number;
  readonly total: number;
  readonly isBusy: boolean;
}

export interface TableProps extends RowsProps {
  /** The CSS pixels that all columns have, if these need no more. */
  readonly width: number;
  readonly layout: Layout;
  readonly setLayout: (layout: Layout) => void;
  readonly sort: readonly Sort[];
  readonly onSort: (field: string, add: boolean) => void;
}

/** The class of the cells of a column. */
const classOf = (field: Field): string | undefined =>
  isNumeric(field) ? 'number' : isDated(field) ? 'date' : undefined;

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === 'string' && isBlank(value));

/** Lists that show archived records, too, show them in grey. */
const archivedClass = (record: RecordData): string | undefined =>
  typeof record[archivedAt] === 'string' ? 'archived' : undefined;

const orders = { ascending: '↑', descending: '↓' } as const;

/** The edge of a heading, which sizes its column; a double click gives it its usual width. The keyboard does it with the columns. */
function Edge({ name, layout, setLayout }: Pick<TableProps, 'layout' | 'setLayout'> & { name: string }): VNode {
  return html`<span
    class="edge"
    aria-hidden="true"
    onPointerDown=${(event: PointerEvent) => dragWidth(event, layout, setLayout)}
    onDblClick=${() => setLayout(withWidth(layout, name, undefined))}
  ></span>`;
}

function Header({ field, resource, sort, onSort, layout, setLayout }: TableProps & { field: Field }): VNode {
  const { name, title, doc } = field;
  const current = sort.find((entry) => entry.field === name);
  const order = current && (current.descending ? 'descending' : 'ascending');
  const isSorted = resource.sort.includes(name);
  return html`<th
    scope="col"
    class=${classOf(field)}
    data-name=${name}
    aria-sort=${isSorted ? (order ?? 'none') : undefined}
    title=${doc}
  >
    ${
      isSorted
        ? html`<button onClick=${(event: MouseEvent) => onSort(name, event.shiftKey)}>
            <span>${title}</span><span class="order" aria-hidden="true">${order ? orders[order] : '↕'}</span>
          </button>`
        : title
    }
    <${Edge} ...${{ name, layout, setLayout }} />
  </th>`;
}

const check = (resource: Resource, record: RecordData, row: number): VNode => {
  const id = String(record['id']);
  return html`<${RowCheck} ...${{ id, row, name: recordName(resource, record) ?? id }} />`;
};

function bodyOf({ resource, columns, rows, start }: RowsProps): readonly VNode[] {
  const { route } = resource;
  const stages = stagesOf(resource);
  const hasName = beginsWithName(resource, columns);
  const decimals = columns.map(({ name }) => decimalsOf(rows.map((row) => row[name])));
  return rows.map((record, index) => {
    const id = String(record['id']);
    const cell = (field: Field, place: number): VNode => {
      const value = record[field.name];
      const cellProps = {
        value,
        field,
        stageOf: stages.get(field.name),
        decimals: decimals[place],
        isInLink: place === 0 && !hasName,
      };
      const isId = cellProps.isInLink && isEmpty(value);
      const content = isId ? html`<span class="muted mono">${id}</span>` : html`<${Cell} ...${cellProps} />`;
      return html`<td class=${classOf(field)}>
        ${cellProps.isInLink ? html`<a href=${hrefOf(route, id)}>${content}</a>` : content}
      </td>`;
    };
    return html`<tr key=${id} class=${archivedClass(record)} data-index=${index} aria-rowindex=${start + index + 1}>
      <td class="check-cell">${check(resource, record, index)}</td>
      ${
        hasName &&
        html`<td>
          <a href=${hrefOf(route, id)}><${RecordName} ...${{ resource, record }} /></a>
        </td>`
      }
      ${columns.map(cell)}
    </tr>`;
  });
}

/** The width of the check boxes. */
const checkWidth: Width = { width: 40, shares: 0 };

/** The widths of the columns, if they need not share more. */
function widthsOf({ resource, columns, layout }: TableProps): readonly Width[] {
  const hasName = beginsWithName(resource, columns);
  const stages = stagesOf(resource);
  const widths = columns.map((field, place) =>
    widthOf(field, layout, { isFirst: place === 0 && !hasName, isState: stages.has(field.name) }),
  );
  return [checkWidth, ...(hasName ? [widthOfNames(layout)] : []), ...widths];
}

/** A text that is cut is seen whole when it is pointed at. */
function showWhole({ target }: MouseEvent): void {
  const cell = target instanceof Element ? target.closest<HTMLElement>('td') : null;
  if (cell && cell.scrollWidth > cell.clientWidth && !cell.querySelector('[title]')) cell.title = cell.innerText;
}

/** The rows of a page. */
export function Table(props: TableProps): VNode {
  const { resource, columns, rows, total, isBusy } = props;
  const body = useMemo(() => bodyOf(props), [rows, resource, columns]);
  const header = (field: Field): VNode => html`<${Header} key=${field.name} ...${{ ...props, field }} />`;
  const widths = shareOut(widthsOf(props), props.width);
  return html`<table
    class="table"
    aria-label=${resource.plural}
    aria-rowcount=${total + 1}
    aria-busy=${isBusy}
    style=${{ width: `${widths.reduce((sum, width) => sum + width, 0)}px` }}
  >
    <colgroup>
      ${widths.map((width) => html`<col style=${{ width: `${width}px` }} />`)}
    </colgroup>
    <thead>
      <tr aria-rowindex="1">
        <th scope="col" class="check-cell"><${PageCheck} /></th>
        ${
          beginsWithName(resource, columns) &&
          html`<th scope="col" data-name=${nameColumn}>
            ${resource.title} <${Edge} name=${nameColumn} layout=${props.layout} setLayout=${props.setLayout} />
          </th>`
        }
        ${columns.map(header)}
      </tr>
    </thead>
    <tbody onMouseOver=${showWhole}>
      ${body}
    </tbody>
  </table>`;
}

/** The rows of a page if a table is too wide: the first value of each, and those that follow. */
export function Cards({ resource, columns: shown, rows, start, total, isBusy }: RowsProps): VNode {
  const stages = stagesOf(resource);
  const card = (record: RecordData, index: number): VNode => {
    const id = String(record['id']);
    const value = (field: Field): VNode =>
      html`<${Cell} value=${record[field.name]} field=${field} stageOf=${stages.get(field.name)} isInLink=${true} />`;
    const columns = shown.filter(({ name }) => !isEmpty(record[name]));
    const isNamed = resource.recordTitle.length > 0;
    const [title] = columns;
    const state = columns.find((field) => field !== title && stages.has(field.name));
    const isDetail = (field: Field): boolean =>
      field !== state && (isNamed ? !resource.recordTitle.includes(field.name) : field !== title);
    const named = title ? value(title) : html`<span class="mono">${id}</span>`;
    return html`<li
      key=${id}
      class=${archivedClass(record)}
      data-index=${index}
      aria-posinset=${start + index}
      aria-setsize=${total}
    >
      ${check(resource, record, index)}
      <a href=${hrefOf(resource.route, id)}>
        <strong>${isNamed ? html`<${RecordName} ...${{ resource, record }} />` : named}</strong>
        ${state && value(state)}
        <span class="muted">
          ${columns
            .filter(isDetail)
            .slice(0, 3)
            .map((field) => html`<span title=${field.title}>${value(field)}</span>`)}
        </span>
      </a>
    </li>`;
  };
  return html`<ul class="card-list" aria-label=${resource.plural} aria-busy=${isBusy}>
    ${rows.map(card)}
  </ul>`;
}
