import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { valueOf } from '../events.ts';
import type { Resource } from '../model.ts';
import { texts } from '../texts.ts';
import { fieldsToImport, type Matching, rematched } from './matching.ts';
import type { Sheet } from './sheet.ts';

/** Rows that show what the columns hold. */
const previewRows = 3;

interface PreviewProps {
  readonly sheet: Sheet;
  readonly resource: Resource;
  readonly matching: Matching;
  readonly change: (matching: Matching) => void;
}

/** The columns of a file with the fields that they are imported as, which can be changed, and its first rows. */
export function Preview({ sheet, resource, matching, change }: PreviewProps): VNode {
  const { columns, rows } = sheet;
  const fields = fieldsToImport(resource);
  const left = columns.filter((_, index) => matching[index] === '');
  // The columns of fields that only the service sets need no choice.
  const [isOpen] = useState(() =>
    columns.some((column, index) => matching[index] === '' && !resource.fields.some(({ name }) => name === column)),
  );
  const choice = (column: string, index: number): VNode =>
    html`<th key=${index} scope="col">
      <bdi>${column}</bdi>
      <select
        aria-label=${texts.transfer.fieldOf(column)}
        value=${matching[index]}
        onChange=${(event: Event) => change(rematched(matching, index, valueOf(event)))}
      >
        <option value="">${texts.transfer.leaveOut}</option>
        ${fields.map(({ name, title }) => html`<option key=${name} value=${name}>${title}</option>`)}
      </select>
    </th>`;
  return html`<details class="preview" open=${isOpen}>
    <summary>
      ${texts.transfer.columns(columns.length - left.length, columns.length)}
      ${left.length > 0 && html` ${texts.transfer.leftOut(left)}`}
    </summary>
    <div class="wrong-rows" role="group" aria-label=${texts.transfer.preview} tabindex="0">
      <table>
        <thead>
          <tr>
            ${columns.map(choice)}
          </tr>
        </thead>
        <tbody>
          ${rows.slice(0, previewRows).map(
            ({ line, cells }) =>
              html`<tr key=${line}>
                ${columns.map((_, index) => html`<td key=${index}><bdi>${cells[index]}</bdi></td>`)}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </details>` as VNode;
}
