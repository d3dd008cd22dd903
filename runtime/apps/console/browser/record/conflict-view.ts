import { html } from 'htm/preact';
import type { VNode } from 'preact';
import type { Field } from '../model.ts';
import { type Draft, edit, editRow, recordKey } from './draft.ts';
import { ValueView } from './field.ts';
import type { Difference, Merge } from './reconcile.ts';
import { type Edits, type Input, inputOf, read } from './values.ts';

interface ConflictsProps {
  readonly draft: Draft;
  readonly change: (how: (draft: Draft) => Draft) => void;
  readonly save: () => void;
}

/** A conflict, and the record or the row that it is about. */
interface Place {
  readonly merge: Merge;
  readonly key: string;
  readonly edits: Edits;
  readonly titleOf: (field: Field) => string;
  readonly set: (draft: Draft, name: string, input: Input) => Draft;
}

/** The places of the conflicts of a draft: the record, then its rows. */
function placesOf(draft: Draft): readonly Place[] {
  const { conflicts, edits, items } = draft;
  const record: Place[] = [...conflicts].flatMap(([key, merge]) =>
    key === recordKey ? [{ merge, key, edits, titleOf: ({ title }: Field) => title, set: edit }] : [],
  );
  const rows = items.flatMap(({ resource, rows: all }) =>
    all.flatMap((row, at): Place[] => {
      const merge = conflicts.get(row.key);
      if (!merge) return [];
      const list = items.length > 1 ? ` of ${resource.title}` : '';
      const end = row.isDeleted ? ', which you delete' : '';
      return [
        {
          merge,
          key: row.key,
          edits: row.edits,
          titleOf: ({ title }) => `${title} in row ${at + 1}${list}${end}`,
          set: (current, name, input) => editRow(current, resource.path, row.key, name, input),
        },
      ];
    }),
  );
  return [...record, ...rows];
}

interface DifferenceProps extends Difference, Pick<ConflictsProps, 'change'> {
  readonly place: Place;
}

/** A field that both have changed: the user chooses one of the values. */
function DifferenceRow({ place, field, theirs, mine, change }: DifferenceProps): VNode {
  const { key, edits, titleOf, set } = place;
  const isMine = Object.hasOwn(edits, field.name);
  const reading = read(field, mine);
  const title = titleOf(field);
  const option = (checked: boolean, label: string, input: Input, value: Difference['theirs']): VNode =>
    html`<td data-label=${label}>
      <label class="choice">
        <input
          type="radio"
          name=${`conflict-${key}-${field.name}`}
          checked=${checked}
          aria-label=${`${title}: ${label}`}
          onChange=${() => change((current) => set(current, field.name, input))}
        />
        <${ValueView} field=${field} value=${value} />
      </label>
    </td>`;
  return html`<tr>
    <th scope="row">${title}</th>
    ${option(!isMine, 'take theirs', inputOf(theirs, field), theirs)}
    ${option(isMine, 'keep yours', mine, 'value' in reading ? reading.value : String(mine))}
  </tr>`;
}

/** Tells that another user has changed the record or its line items, and lets the user choose for each field that both have changed. */
export function ConflictView({ draft, change, save }: ConflictsProps): VNode {
  const places = placesOf(draft);
  const differences = places.flatMap((place) =>
    place.merge.differences.map((difference) => ({ ...difference, place, change })),
  );
  const theirs = places.flatMap(({ merge, titleOf }) => merge.theirs.map(titleOf));
  const what = draft.conflicts.has(recordKey) ? 'this record' : 'the line items';
  return html`<section class="conflict" role="alert" aria-labelledby="conflict-title" tabindex="-1">
    <h2 id="conflict-title">Another user has changed ${what}</h2>
    <p>What you have typed is kept and not saved yet.</p>
    ${
      differences.length > 0 &&
      html`<p>You have both changed the following. Choose what is saved:</p>
        <div class="table-frame">
          <table class="differences">
            <thead>
              <tr>
                <th scope="col">Field</th>
                <th scope="col">Theirs, stored now</th>
                <th scope="col">Yours</th>
              </tr>
            </thead>
            <tbody>
              ${differences.map((row) => html`<${DifferenceRow} key=${`${row.place.key} ${row.field.name}`} ...${row} />`)}
            </tbody>
          </table>
        </div>`
    }
    ${
      theirs.length > 0 &&
      html`<p>
        ${differences.length > 0 ? 'Only they' : 'They'} have changed: ${theirs.join('; ')}. The form shows that.
      </p>`
    }
    <div class="actions">
      <button
        type="button"
        class="button quiet"
        onClick=${() => change((current) => ({ ...current, conflicts: new Map() }))}
      >
        Close
      </button>
      <button type="button" class="button primary" onClick=${save}>Save again</button>
    </div>
  </section>`;
}
