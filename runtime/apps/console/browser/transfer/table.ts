import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { type DecimalSign, exampleOf, type SignEvidence, typedNumber } from '../../../../data/transfer/notation.ts';
import type { Value } from '../api.ts';
import { Cell } from '../cell.ts';
import { type Field, isNumeric } from '../model.ts';
import { shorten } from '../text.ts';
import { texts } from '../texts.ts';
import type { Entry, Fault } from './rows.ts';

/** The faults of a row or a cell. */
export const messages = (faults: readonly Fault[], className: string, id?: string): VNode | false =>
  faults.length > 0 &&
  (html`<ul id=${id} class=${className}>
    ${faults.map(({ message }) => html`<li key=${message}><bdi>${message}</bdi></li>`)}
  </ul>` as VNode);

interface RowsTableProps {
  readonly label: string;
  /** The heads of the columns behind the first one, which has the heads of the rows. */
  readonly heads: readonly VNode[];
  readonly rows: readonly {
    readonly key: number;
    readonly head: unknown;
    readonly cells: readonly VNode[];
    readonly className?: string;
  }[];
}

/** Rows that were not stored yet, of a file or as they were pasted. */
export const RowsTable = ({ label, heads, rows }: RowsTableProps): VNode =>
  html`<div class="preview-rows" role="group" aria-label=${label} tabindex="0">
    <table>
      <thead>
        <tr>
          <td></td>
          ${heads}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ({ key, head, cells, className }) =>
            html`<tr key=${key} class=${className}>
              <th scope="row">${head}</th>
              ${cells}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>` as VNode;

interface ValuesProps {
  readonly label: string;
  /** The columns that are shown: their places in the rows, their heads, and their fields. */
  readonly columns: readonly { readonly at: number; readonly head: unknown; readonly field: Field | undefined }[];
  readonly entries: readonly Entry[];
  readonly headOf: (entry: Entry) => unknown;
}

/** Rows as they will be: a cell that is no value of its field is shown as it is, with the reason. */
export function Values({ label, columns, entries, headOf }: ValuesProps): VNode {
  const classOf = (field: Field | undefined): string | undefined => (field && isNumeric(field) ? 'number' : undefined);
  const heads = columns.map(
    ({ at, head, field }) => html`<th key=${at} scope="col" class=${classOf(field)}>${head}</th>` as VNode,
  );
  const rows = entries.map((entry) => {
    const { body, line } = entry.row;
    const cells = columns.map(({ at, field }) => {
      const faults = entry.errors.filter(({ column }) => column === at);
      const text = entry.cells[at];
      const isRead = field && (text === null || Object.hasOwn(body, field.name));
      return html`<td key=${at} class=${classOf(field)} data-wrong=${faults.length > 0}>
        ${
          isRead
            ? html`<${Cell} value=${body[field.name] as Value | undefined} field=${field} isInLink=${true} />`
            : html`<bdi>${shorten(text ?? '')}</bdi>`
        }
        ${messages(faults, 'error-text')}
      </td>` as VNode;
    });
    return { key: line, head: headOf(entry), cells };
  });
  return html`<${RowsTable} ...${{ label, heads, rows }} />` as VNode;
}

interface SignChoiceProps {
  readonly evidence: SignEvidence;
  readonly sign: DecimalSign | undefined;
  readonly choose: (sign: DecimalSign) => void;
}

/** Tells how the numbers of a table are read, or asks for it: all of them alike. */
export function SignChoice({ evidence: { example }, sign, choose }: SignChoiceProps): VNode {
  return html`<fieldset class="notation" data-open=${sign === undefined}>
    <legend>${example ? texts.paste.meant(shorten(example.text)) : texts.paste.written}</legend>
    ${(['own', 'other'] as const).map(
      (one) =>
        html`<label key=${one}>
          <input type="radio" name="decimal-sign" checked=${sign === one} onChange=${() => choose(one)} />
          ${example ? typedNumber(example.readings[one]) : exampleOf(one)}
        </label>`,
    )}
  </fieldset>` as VNode;
}
