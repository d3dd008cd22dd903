import { html } from 'htm/preact';
import type { VNode } from 'preact';
import type { Merge } from './conflict.ts';
import { type Draft, edit, withoutConflict } from './draft.ts';
import { ValueView } from './value.ts';
import { inputOf, read } from './values.ts';

interface ConflictProps {
  readonly draft: Draft;
  readonly conflict: Merge;
  readonly change: (how: (draft: Draft) => Draft) => void;
  readonly save: () => void;
}

/** Tells that somebody else has changed the record, and lets the user choose for each field that both have changed. */
export function ConflictView({ draft, conflict, change, save }: ConflictProps): VNode {
  const { differences, theirs } = conflict;
  const choose = (name: string, input: Parameters<typeof edit>[2]): void =>
    change((current) => edit(current, name, input));
  const close = (): void => change(withoutConflict);
  return html`<section class="conflict" role="alert" aria-labelledby="conflict-title" tabindex="-1">
    <h2 id="conflict-title">Somebody else has changed this record</h2>
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
              ${differences.map(({ field, theirs: stored, mine }) => {
                const { name, title } = field;
                const isMine = Object.hasOwn(draft.edits, name);
                const reading = read(field, mine);
                const option = (checked: boolean, label: string, input: typeof mine, value: VNode): VNode =>
                  html`<td data-label=${label}>
                    <label class="choice">
                      <input
                        type="radio"
                        name=${`conflict-${name}`}
                        checked=${checked}
                        aria-label=${`${title}: ${label}`}
                        onChange=${() => choose(name, input)}
                      />
                      ${value}
                    </label>
                  </td>`;
                return html`<tr key=${name}>
                  <th scope="row">${title}</th>
                  ${option(
                    !isMine,
                    'take theirs',
                    inputOf(stored),
                    html`<${ValueView} field=${field} value=${stored} />`,
                  )}
                  ${option(
                    isMine,
                    'keep yours',
                    mine,
                    html`<${ValueView} field=${field} value=${'value' in reading ? reading.value : String(mine)} />`,
                  )}
                </tr>`;
              })}
            </tbody>
          </table>
        </div>`
    }
    ${
      theirs.length > 0 &&
      html`<p>
        ${differences.length > 0 ? 'Only they' : 'They'} have changed:
        ${' '}${theirs.map(({ title }) => title).join(', ')}. The form shows that.
      </p>`
    }
    <div class="actions">
      <button type="button" class="button quiet" onClick=${close}>Close</button>
      <button type="button" class="button primary" onClick=${save}>Save again</button>
    </div>
  </section>`;
}
