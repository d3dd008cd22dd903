import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { type Field, fieldOf, type Resource } from '../model.ts';
import { type Draft, edit, type Errors, lockOf } from './draft.ts';
import { isTotal } from './facts.ts';
import { FieldView } from './field.ts';
import { errorsOfRecord, isGroupShown } from './rules.ts';
import { type Section, sectionsOf } from './sections.ts';
import type { Input } from './values.ts';
import { stateFieldOf } from '../stages.ts';
import { texts } from '../texts.ts';

interface FormProps {
  readonly draft: Draft;
  readonly isEditable: boolean;
  readonly change: (how: (draft: Draft) => Draft) => void;
}

/** The states that transitions know, for a field that they move. */
function statesOf({ transitions }: Resource, name: string): readonly string[] {
  const moves = transitions.filter(({ field }) => field === name);
  return [...new Set(moves.flatMap(({ from, to }) => [...from, to ?? []].flat()))];
}

/** The groups of the spec that are shown. One stays while it holds what was typed, or an error. */
export function groupsOf(draft: Draft, errors: Errors | undefined): readonly Section[] {
  const { resource, id, edits } = draft;
  return resource.form.flatMap(({ title, fields: names }) => {
    const fields = names.flatMap((name) => fieldOf(resource, name) ?? []);
    // Nothing has set the others of a new record.
    const members = fields.filter(({ readOnly }) => id !== undefined || !readOnly);
    const isInUse = names.some((name) => Object.hasOwn(edits, name) || errors?.fields[name] !== undefined);
    return members.length > 0 && (isInUse || isGroupShown(draft, title)) ? [{ title, fields: members }] : [];
  });
}

/** The fields that are in no group. @param readOnly whether only the service sets them: the head alone has the state and totals then */
export function ungrouped(resource: Resource, readOnly: boolean): readonly Field[] {
  const grouped = new Set(resource.form.flatMap((group) => group.fields));
  const state = stateFieldOf(resource);
  const isInHead = (field: Field): boolean => readOnly && (field === state || isTotal(field));
  return resource.fields.filter((field) => field.readOnly === readOnly && !grouped.has(field.name) && !isInHead(field));
}

/** The fields of a record, in sections: those that can be given and the groups of the spec, or those that only the service sets. */
export function Fields({ draft, isEditable, change, readOnly = false }: FormProps & { readOnly?: boolean }): VNode {
  const { resource } = draft;
  const fields = ungrouped(resource, readOnly);
  const columns = resource.columns.map(({ name }) => name);
  const errors = errorsOfRecord(draft);
  const hasGroups = resource.form.length > 0;
  const others = hasGroups ? [{ title: texts.record.otherFields, fields }] : sectionsOf(fields, columns);
  const sections = (
    readOnly ? [{ title: texts.record.automatic, fields }] : [...groupsOf(draft, errors), ...others]
  ).filter((section) => section.fields.length > 0);
  const hasHeadings = readOnly || hasGroups || sections.length > 1;
  const onInput = (name: string, input: Input): void => change((current) => edit(current, name, input));
  const common = { scope: 'field', edited: draft, errors, onInput };
  const lock = lockOf(draft);
  // Users still see edits that they made before another user has locked the record, and can take them back.
  const isOpen = ({ name, readOnly: isFixed }: Field): boolean =>
    !isFixed && (!lock || (lock.except?.includes(name) ?? false) || Object.hasOwn(draft.edits, name));
  const view = (field: Field): VNode =>
    html`<${FieldView}
      key=${field.name}
      ...${{ ...common, field, isEditable: isEditable && isOpen(field), suggestions: statesOf(resource, field.name) }}
    />`;
  return html`${sections.map(
    ({ title, fields: members }) =>
      html`<section key=${title} class="fields" aria-label=${title}>
        <h2 class=${hasHeadings ? undefined : 'hidden'}>${title}</h2>
        <div class="grid">${members.map(view)}</div>
      </section>`,
  )}`;
}
