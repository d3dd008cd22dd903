import { html } from 'htm/preact';
import { type ComponentChildren, Fragment, type VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Cell } from '../cell.ts';
import { type Field, isNumeric, type Resource } from '../model.ts';
import { Control } from './control.ts';
import { type Errors, isNew, type Row } from './draft.ts';
import { FieldView } from './field.ts';
import { currentInput, type Input, isFixed } from './values.ts';
import { texts } from '../texts.ts';

export interface ItemRowProps {
  readonly resource: Resource;
  readonly row: Row;
  /** Its place among the rows that are shown. */
  readonly at: number;
  /** The fields in the row, and those that open below it. */
  readonly columns: readonly Field[];
  readonly details: readonly Field[];
  readonly isEditable: boolean;
  readonly errors: Errors | undefined;
  /** The properties of its handle, if it can be moved. */
  readonly handle: object | undefined;
  readonly showHistory: ((record: Row['base']) => VNode) | false;
  readonly onInput: (name: string, input: Input) => void;
  /** Deletes it, or takes that back. */
  readonly onToggle: (() => void) | undefined;
}

interface CellProps extends ItemRowProps {
  readonly field: Field;
  readonly scope: string;
}

/** A field in its column. */
function FieldCell({ field, row, at, scope, isEditable, errors, onInput }: CellProps): VNode {
  const { base, edits, isDeleted } = row;
  const error = errors?.fields[field.name];
  const id = `${scope}-${field.name}`;
  const isOpen = isEditable && !isDeleted && !isFixed(field, base);
  const kind = [isNumeric(field) && 'number', !isOpen && 'read'].filter(Boolean).join(' ');
  return html`<td role="cell" class=${kind || undefined} data-label=${field.title}>
    ${
      isOpen
        ? html`<${Control}
            ...${{
              field,
              id,
              input: currentInput(base, edits, field),
              base: base[field.name],
              describedBy: error && `${id}-error`,
              isInvalid: error !== undefined,
              label: texts.items.inRow(field.title, at + 1),
              isCompact: true,
              onInput: (input: Input) => onInput(field.name, input),
            }}
          />`
        : html`<${Cell} value=${base[field.name]} field=${field} />`
    }
    ${error && html`<p class="error-text" id=${`${id}-error`}>${texts.wrong.at(field.title, error)}</p>`}
  </td>`;
}

/** The number of a row, which is a handle if it can be moved. */
const Place = ({ at, handle }: ItemRowProps): VNode =>
  html`<td role="cell" class="place">
    ${
      handle
        ? html`<button
            type="button"
            class="handle"
            aria-label=${texts.items.move(at + 1)}
            title=${texts.items.moveTitle}
            ...${handle}
          >
            <svg viewBox="0 0 16 16" aria-hidden="true">
              <path d="M6 4h.01M6 8h.01M6 12h.01M10 4h.01M10 8h.01M10 12h.01" />
            </svg>
            ${at + 1}
          </button>`
        : at + 1
    }
  </td>`;

interface ActionsProps extends ItemRowProps {
  readonly isOpen: boolean;
  readonly setOpen: (isOpen: boolean) => void;
  readonly hasHistory: boolean;
  readonly setHistory: (hasHistory: boolean) => void;
}

/** The buttons at the end of a row. */
function RowActions(props: ActionsProps): VNode {
  const { row, at, details, showHistory, onToggle, isOpen, setOpen, hasHistory, setHistory } = props;
  const { isDeleted } = row;
  const openLabel = isOpen ? texts.items.less : texts.items.more;
  const icon = (path: string): VNode => html`<svg viewBox="0 0 16 16" aria-hidden="true"><path d=${path} /></svg>`;
  const button = (label: string, face: VNode | string, press: () => void, isExpanded?: boolean): VNode =>
    html`<button
      type="button"
      class=${typeof face === 'string' ? 'button quiet' : 'icon-button'}
      aria-label=${label}
      title=${typeof face === 'string' ? undefined : label}
      aria-expanded=${isExpanded}
      onClick=${press}
    >
      ${face}
    </button>`;
  return html`<td role="cell" class="row-actions">
    ${
      details.length > 0 &&
      button(texts.items.otherFields(openLabel, details.length, at + 1), openLabel, () => setOpen(!isOpen), isOpen)
    }
    ${
      showHistory &&
      button(
        texts.items.history(at + 1),
        icon('M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2M8 5v3l2 2'),
        () => setHistory(!hasHistory),
        hasHistory,
      )
    }
    ${
      onToggle &&
      (isDeleted
        ? button(texts.items.keepRow(at + 1), texts.items.keep, onToggle)
        : button(texts.items.delete(at + 1), icon('M4 4l8 8M12 4l-8 8'), onToggle))
    }
  </td>`;
}

/** A line item: a row of its table, and below it what has no column. */
export function ItemRow(props: ItemRowProps): VNode {
  const { row, at, columns, details, isEditable, errors, showHistory, onInput } = props;
  const [isOpen, setOpen] = useState(false);
  const [hasHistory, setHistory] = useState(false);
  const scope = `row-${row.key.replaceAll(/\W+/g, '-')}`;
  const hasHidden = details.some(({ name }) => errors?.fields[name] !== undefined);
  // An error opens the fields that it is about.
  useEffect(() => {
    if (hasHidden) setOpen(true);
  }, [hasHidden]);
  const state = [row.isDeleted && 'deleted', isNew(row) && 'new'].filter(Boolean).join(' ');
  const below = (content: ComponentChildren, kind?: string): VNode =>
    html`<tr role="row" class="more">
      <td role="cell" colspan=${columns.length + 2} class=${kind}>${content}</td>
    </tr>`;
  const detail = (field: Field): VNode =>
    html`<${FieldView}
      key=${field.name}
      ...${{ field, scope, edited: row, errors, isEditable: isEditable && !row.isDeleted, onInput }}
    />`;
  return html`<${Fragment}>
    <tr role="row" data-row=${at} class=${state || undefined}>
      <${Place} ...${props} />
      ${columns.map((field) => html`<${FieldCell} key=${field.name} ...${{ ...props, field, scope }} />`)}
      <${RowActions} ...${{ ...props, isOpen, setOpen, hasHistory, setHistory }} />
    </tr>
    ${errors?.general.map((text) => below(text, 'error-text'))}
    ${isOpen && below(html`<div class="grid">${details.map(detail)}</div>`)}
    ${showHistory && hasHistory && below(showHistory(row.base))}
  <//>`;
}
