import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { Value } from '../api.ts';
import { openModal } from '../dialog.ts';
import type { Transition } from '../model.ts';
import { type References, ReferencesContext } from '../reference.ts';
import type { Errors } from './draft.ts';
import { FieldView } from './field.ts';
import { missingIn } from './save.ts';
import { changesOf, type Edits, type Input, startingValues } from './values.ts';
import { titleOf } from '../text.ts';
import { texts } from '../texts.ts';

/** The values that a person has entered for a transition, and their errors. */
export interface Entered {
  readonly edits: Edits;
  readonly errors?: Errors | undefined;
}

/** The input of a transition: its body, and what was entered for it. */
interface Answer extends Entered {
  readonly body: Readonly<Record<string, Value>>;
}

interface FormProps {
  readonly transition: Transition;
  /** The title of the resource. */
  readonly noun: string;
  /** The number of records that it is for; undefined for the one that is shown. */
  readonly count: number | undefined;
  readonly entered: Entered;
  readonly finish: (answer?: Answer) => void;
}

/** A form for the input of a transition, in a dialog. It shows errors that it can find itself before it sends. */
function InputForm({ transition, noun, count, entered, finish }: FormProps): VNode {
  const { title, field, to, input: fields } = transition;
  const [{ edits, errors }, setEntered] = useState(entered);
  const base = startingValues(fields);
  const onInput = (name: string, value: Input): void =>
    setEntered(({ edits: before, errors: wrong }) => {
      const { [name]: _, ...rest } = wrong?.fields ?? {};
      return { edits: { ...before, [name]: value }, errors: { fields: rest, general: [] } };
    });
  const submit = (event: Event): void => {
    event.preventDefault();
    const { body, problems } = changesOf(fields, base, edits);
    const wrong = { ...missingIn({ fields }, { base, edits }), ...problems };
    if (Object.keys(wrong).length === 0) finish({ edits, body });
    else setEntered({ edits, errors: { fields: wrong, general: [] } });
  };
  return html`<form method="dialog" novalidate onSubmit=${submit}>
    <h2 id="dialog-title">
      ${count === undefined ? texts.record.moveTitle(title, noun) : texts.bulk.question(title, count)}
    </h2>
    ${to !== undefined && count === undefined && html`<p>${texts.record.becomes(titleOf(field), to)}</p>`}
    <div class="grid">
      ${fields.map(
        (inputField) =>
          html`<${FieldView}
            key=${inputField.name}
            ...${{ field: inputField, scope: 'input', edited: { base, edits }, errors, isEditable: true, onInput }}
          />`,
      )}
    </div>
    ${errors?.general.map((text) => html`<p class="error-text" role="alert" key=${text}>${text}</p>`)}
    <div class="actions">
      <button type="button" class="button" onClick=${() => finish()}>${texts.record.notNow}</button>
      <button class="button primary">${count === undefined ? texts.record.moveRecord(title, noun) : title}</button>
    </div>
  </form>`;
}

/** Asks for the input of a transition. @param count of the records that it is for, if these are many @returns undefined if the user does not go on */
export async function askInput(
  references: References,
  noun: string,
  transition: Transition,
  entered: Entered,
  count?: number,
): Promise<Answer | undefined> {
  let answer: Answer | undefined;
  await openModal('dialog-title', (close) => {
    const finish = (result?: Answer): void => {
      answer = result;
      close();
    };
    return html`<${ReferencesContext.Provider} value=${references}>
      <${InputForm} ...${{ transition, noun, count, entered, finish }} />
    <//>`;
  });
  return answer;
}
