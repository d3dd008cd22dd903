import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { DecimalSign } from '../../../../data/transfer/notation.ts';
import { valueOf } from '../events.ts';
import { fieldOf, type Resource } from '../model.ts';
import { texts } from '../texts.ts';
import { cellFields, fieldsToImport, type Matching, rematched } from './matching.ts';
import { type Entry, RowReader } from './rows.ts';
import type { Sheet } from './sheet.ts';
import { Values } from './table.ts';

/** Rows that show what the columns hold. */
const previewRows = 3;

interface PreviewProps {
  readonly sheet: Sheet;
  readonly resource: Resource;
  readonly matching: Matching;
  readonly sign: DecimalSign | undefined;
  /** The rows that are wrong, or were: as they have been mended. */
  readonly wrong: readonly Entry[];
  readonly change: (matching: Matching) => void;
}

/** The columns of a file with the fields that they are imported as, which can be changed, and its first rows as they will be. */
export function Preview({ sheet, resource, matching, sign, wrong, change }: PreviewProps): VNode {
  const { columns, rows } = sheet;
  const fields = fieldsToImport(resource);
  const left = columns.filter((_, index) => matching[index] === '');
  // The columns of fields that only the service sets need no choice.
  const [isOpen] = useState(() =>
    columns.some((column, index) => matching[index] === '' && !resource.fields.some(({ name }) => name === column)),
  );
  const first = useMemo(() => {
    const reader = new RowReader(resource, columns, cellFields(resource, matching), sign);
    return rows.slice(0, previewRows).map((row) => reader.read(row));
  }, [matching, sign]);
  const choice = (column: string, index: number): VNode =>
    html`<bdi>${column}</bdi>
      <select
        aria-label=${texts.transfer.fieldOf(column)}
        value=${matching[index]}
        onChange=${(event: Event) => change(rematched(matching, index, valueOf(event)))}
      >
        <option value="">${texts.transfer.leaveOut}</option>
        ${fields.map(({ name, title }) => html`<option key=${name} value=${name}>${title}</option>`)}
      </select>` as VNode;
  const shown = columns.map((column, at) => {
    const field = fieldOf(resource, matching[at] ?? '');
    // Records are named by ids.
    return { at, head: choice(column, at), field: field && { ...field, references: undefined } };
  });
  return html`<details class="preview" open=${isOpen}>
    <summary>
      ${texts.transfer.columns(columns.length - left.length, columns.length)}
      ${left.length > 0 && html` ${texts.transfer.leftOut(left)}`}
    </summary>
    <${Values}
      label=${texts.transfer.preview}
      columns=${shown}
      entries=${first.map((entry) => wrong.find(({ row }) => row.line === entry.row.line) ?? entry)}
      headOf=${({ row }: Entry) => texts.transfer.line(row.line)}
    />
  </details>` as VNode;
}
