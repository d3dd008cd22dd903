import { html } from 'htm/preact';
import type { VNode } from 'preact';
import type { Field, Resource } from '../model.ts';
import { type Draft, edit, lockOf } from './draft.ts';
import { FieldView } from './field.ts';
import { errorsOfRecord } from './rules.ts';
import { sectionsOf } from './sections.ts';
import type { Input } from './values.ts';

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

/** The fields of a record, in sections: those that can be given, or those that only the service sets. */
export function Fields({ draft, isEditable, change, readOnly = false }: FormProps & { readOnly?: boolean }): VNode {
  const { resource } = draft;
  const fields = resource.fields.filter((field) => field.readOnly === readOnly);
  const columns = resource.columns.map(({ name }) => name);
  const sections = readOnly ? [{ title: 'Set by the service', fields }] : sectionsOf(fields, columns);
  const onInput = (name: string, input: Input): void => change((current) => edit(current, name, input));
  const common = { scope: 'field', edited: draft, errors: errorsOfRecord(draft), onInput };
  const isLocked = lockOf(draft) !== undefined;
  // Users still see edits that they made before another user has locked the record, and can take them back.
  const isOpen = ({ name }: Field): boolean =>
    !isLocked || (resource.lock?.except?.includes(name) ?? false) || Object.hasOwn(draft.edits, name);
  const view = (field: Field): VNode =>
    html`<${FieldView}
      key=${field.name}
      ...${{ ...common, field, isEditable: isEditable && isOpen(field), suggestions: statesOf(resource, field.name) }}
    />`;
  return html`${sections.map(
    ({ title, fields: own }) =>
      html`<section key=${title} class="fields" aria-label=${title}>
        <h2 class=${sections.length > 1 || readOnly ? undefined : 'hidden'}>${title}</h2>
        <div class="grid">${own.map(view)}</div>
      </section>`,
  )}`;
}
