import { html } from 'htm/preact';
import type { VNode } from 'preact';
import type { Field, Resource } from '../model.ts';
import type { Value } from '../record-data.ts';
import { titleOf } from '../text.ts';
import { Doc } from './doc.ts';
import { type Draft, edit, recordKey } from './draft.ts';
import { FieldView } from './field.ts';
import { sectionsOf } from './sections.ts';
import { ValueView } from './value.ts';
import { currentInput, type Input } from './values.ts';

interface FormProps {
  readonly draft: Draft;
  readonly isEditable: boolean;
  readonly change: (how: (draft: Draft) => Draft) => void;
}

/** The states that transitions know, for a field that they move. */
function statesOf({ transitions }: Resource, name: string): readonly string[] {
  const own = transitions.filter(({ field }) => field === name);
  return [...new Set(own.flatMap(({ from, to }) => [...from, to]))];
}

/** A field that cannot be changed here. */
const ReadField = ({ field, value }: { field: Field; value: Value | undefined }): VNode =>
  html`<div class="field">
    <div class="label-row"><span class="label">${field.title}</span></div>
    <div class="value"><${ValueView} field=${field} value=${value} /></div>
    ${field.doc && html`<p class="help"><${Doc} text=${field.doc} /></p>`}
  </div>`;

interface SectionProps {
  readonly title: string;
  readonly fields: readonly Field[];
  readonly hasHeading?: boolean;
  readonly view: (field: Field) => VNode;
}

const SectionView = ({ title, fields, hasHeading = true, view }: SectionProps): VNode =>
  html`<section class="fields" aria-label=${title}>
    <h2 class=${hasHeading ? undefined : 'hidden'}>${title}</h2>
    <div class="grid">${fields.map(view)}</div>
  </section>`;

/** Shows the stored value of a field. */
const valueIn =
  ({ stored }: Draft) =>
  (field: Field): VNode =>
    html`<${ReadField} key=${field.name} field=${field} value=${stored[field.name]} />`;

/** The fields that can be given, in sections. */
export function Fields({ draft, isEditable, change }: FormProps): VNode {
  const { resource, stored, edits, errors } = draft;
  const columns = resource.columns.map(({ name }) => name);
  const given = resource.fields.filter(({ readOnly }) => !readOnly);
  const set = (name: string, input: Input): void => change((current) => edit(current, name, input));
  const control = (field: Field): VNode =>
    html`<${FieldView}
      key=${field.name}
      ...${{
        field,
        scope: 'field',
        input: currentInput(stored, edits, field.name),
        stored: stored[field.name],
        error: errors.get(recordKey)?.fields[field.name],
        suggestions: statesOf(resource, field.name),
        onInput: set,
      }}
    />`;
  const sections = sectionsOf(given, columns, titleOf);
  const view = isEditable ? control : valueIn(draft);
  return html`${sections.map(
    ({ title, fields }) =>
      html`<${SectionView} key=${title} ...${{ title, fields, hasHeading: sections.length > 1, view }} />`,
  )}`;
}

/** The fields that only the service sets. */
export function ServiceFields({ draft }: { draft: Draft }): VNode | null {
  const fields = draft.resource.fields.filter(({ readOnly }) => readOnly);
  if (draft.id === undefined || fields.length === 0) return null;
  return html`<${SectionView} ...${{ title: 'Set by the service', fields, view: valueIn(draft) }} />`;
}
