import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Value } from '../../api.ts';
import { valueOf } from '../../events.ts';
import type { Field, Resource } from '../../model.ts';
import { editableFields, type Errors } from '../../record/draft.ts';
import { FieldView } from '../../record/field.ts';
import { changesOf, type Input } from '../../record/values.ts';
import { stagesOf } from '../../stages.ts';
import { texts } from '../../texts.ts';
import type { Selection } from '../selection.ts';
import { suggestionsFrom } from '../suggestions.ts';

/** The fields that many records can be given the same value of. */
export const settableFields = (resource: Resource): readonly Field[] =>
  editableFields(resource).filter(({ immutable, isUnique }) => immutable !== true && !isUnique);

/** The field that is most likely meant: the state, or else the first column. */
function likelyField(resource: Resource): Field | undefined {
  const fields = settableFields(resource);
  const states = stagesOf(resource);
  const columns = resource.columns.filter((column) => fields.includes(column));
  const isLikely = [({ values }: Field) => values !== undefined, ({ required }: Field) => !required, () => true];
  const likely = isLikely.flatMap((test) => columns.find(test) ?? []);
  return fields.find(({ name }) => states.has(name)) ?? likely[0] ?? fields[0];
}

/** The body that gives a field a value, or why there is none. */
function bodyOf(field: Field, input: Input): { readonly body: Record<string, Value> } | { readonly problem: string } {
  const { body, problems } = changesOf([field], {}, { [field.name]: input });
  if ((body[field.name] ?? null) === null) return { problem: texts.wrong.required };
  const problem = problems[field.name];
  return problem === undefined ? { body } : { problem };
}

interface SetFormProps {
  readonly resource: Resource;
  readonly selection: Selection;
  readonly close: () => void;
  readonly set: (body: Readonly<Record<string, Value>>) => void;
}

/** Chooses a field, and the value that all chosen records are to have in it. */
export function SetForm({ resource, selection, close, set }: SetFormProps): VNode {
  const fields = settableFields(resource);
  const [name, setName] = useState(likelyField(resource)?.name);
  const [input, setInput] = useState<Input>();
  const [problem, setProblem] = useState<string>();
  const form = useRef<HTMLFormElement>(null);
  const field = fields.find((one) => one.name === name) as Field;
  useLayoutEffect(() => {
    const focus = (): void => form.current?.querySelector<HTMLElement>('.grid :is(input, select, textarea)')?.focus();
    // Once the dialog is open, and before the next key.
    queueMicrotask(focus);
  }, []);
  const choose = (event: Event): void => {
    setName(valueOf(event));
    setInput(undefined);
    setProblem(undefined);
  };
  const change = (_: string, value: Input): void => {
    setInput(value);
    setProblem(undefined);
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    const result = bodyOf(field, input);
    if ('body' in result) set(result.body);
    else setProblem(result.problem);
  };
  const keyDown = (event: KeyboardEvent): void => {
    // A list of choices does not submit its form by itself.
    if (event.key !== 'Enter' || !(event.target instanceof HTMLSelectElement)) return;
    event.preventDefault();
    form.current?.requestSubmit();
  };
  const errors: Errors | undefined =
    problem === undefined ? undefined : { fields: { [field.name]: problem }, general: [] };
  const edited = { base: {}, edits: { [field.name]: input } };
  return html`<form method="dialog" novalidate ref=${form} onSubmit=${submit} onKeyDown=${keyDown}>
    <h2 id="many-title">${texts.bulk.setTitle(selection.count)}</h2>
    <div class="field set-field">
      <label for="many-field">${texts.filters.field}</label>
      <select id="many-field" value=${field.name} onChange=${choose}>
        ${fields.map((one) => html`<option key=${one.name} value=${one.name}>${one.title}</option>`)}
      </select>
    </div>
    <div class="grid">
      <${FieldView}
        key=${field.name}
        ...${{ field, scope: 'set', edited, errors, isEditable: true, suggestions: suggestionsFrom([...selection.records.values()], field.name), onInput: change }}
      />
    </div>
    <div class="actions">
      <button type="button" class="button" onClick=${close}>${texts.dialog.cancel}</button>
      ${
        field.nullable &&
        html`<button type="button" class="button" onClick=${() => set({ [field.name]: null })}>
          ${texts.bulk.clear(field.title)}
        </button>`
      }
      <button class="button primary">${texts.bulk.set(field.title)}</button>
    </div>
  </form>`;
}
