import { html } from 'htm/preact';
import type { VNode } from 'preact';
import type { Field } from '../model.ts';
import { type Draft, edit, editRow, recordKey } from './draft.ts';
import { ValueView } from './field.ts';
import type { Difference, Merge } from './reconcile.ts';
import { type Edits, type Input, inputOf, read } from './values.ts';
import { texts } from '../texts.ts';

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
      const list = items.length > 1 ? resource.title : undefined;
      return [
        {
          merge,
          key: row.key,
          edits: row.edits,
          titleOf: ({ title }) => texts.conflict.inRow(title, at + 1, list, row.isDeleted),
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
    ${option(!isMine, texts.conflict.takeTheirs, inputOf(theirs, field), theirs)}
    ${option(isMine, texts.conflict.keepYours, mine, 'value' in reading ? reading.value : String(mine))}
  </tr>`;
}

/** Tells that another user has changed the record or its line items, and lets the user choose for each field that both have changed. */
export function ConflictView({ draft, change, save }: ConflictsProps): VNode {
  const places = placesOf(draft);
  const differences = places.flatMap((place) =>
    place.merge.differences.map((difference) => ({ ...difference, place, change })),
  );
  const theirs = places.flatMap(({ merge, titleOf }) => merge.theirs.map(titleOf));
  const title = draft.conflicts.has(recordKey) ? texts.conflict.changedRecord : texts.conflict.changedItems;
  return html`<section class="conflict" role="alert" aria-labelledby="conflict-title" tabindex="-1">
    <h2 id="conflict-title">${title}</h2>
    <p>${texts.conflict.kept}</p>
    ${
      differences.length > 0 &&
      html`<p>${texts.conflict.both}</p>
        <div class="table-frame">
          <table class="differences">
            <thead>
              <tr>
                <th scope="col">${texts.filters.field}</th>
                <th scope="col">${texts.conflict.theirs}</th>
                <th scope="col">${texts.conflict.yours}</th>
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
      html`<p>${texts.conflict[differences.length > 0 ? 'onlyThey' : 'they'](theirs.join('; '))}</p>`
    }
    <div class="actions">
      <button
        type="button"
        class="button quiet"
        onClick=${() => change((current) => ({ ...current, conflicts: new Map() }))}
      >
        ${texts.dialog.close}
      </button>
      <button type="button" class="button primary" onClick=${save}>${texts.conflict.saveAgain}</button>
    </div>
  </section>`;
}
