import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { Cell } from '../cell.ts';
import { type Field, isFreeText, isNumeric, type Resource } from '../model.ts';
import { namingFields } from '../name.ts';
import { stateFieldOf, stagesOf } from '../stages.ts';
import { longNames } from './control.ts';
import type { Draft } from './draft.ts';
import { maxUndivided } from './sections.ts';

/** So many values of the list are shown in the head of a record, totals aside. */
const maxFacts = 6;

/** Whether a field is a number that the service computes. */
export const isTotal = (field: Field): boolean => field.isComputed === true && isNumeric(field);

/** The fields that matter most of a record, beside its title and its state: those of lists but for long texts, and totals. Short forms are seen at once. */
function factsOf(resource: Resource): readonly Field[] {
  const totals = resource.fields.filter(isTotal);
  const [first = ''] = resource.recordTitle;
  const inTitle =
    resource.recordTitle.length > 0 ? resource.recordTitle : namingFields(resource).map(({ name }) => name);
  const told = new Set([stateFieldOf(resource)?.name, first.split('.')[0], ...inTitle]);
  const isShort = resource.fields.length <= maxUndivided;
  const isFact = (field: Field): boolean =>
    !told.has(field.name) && !totals.includes(field) && !(isFreeText(field) && longNames.test(field.name));
  const listed = isShort ? [] : resource.columns.filter(isFact);
  return [...listed.slice(0, maxFacts), ...totals];
}

/** The fields that matter most, with the values that are stored; those without a value are left out. */
export function Facts({ draft: { resource, id, base } }: { readonly draft: Draft }): VNode | undefined {
  if (id === undefined) return undefined;
  const facts = factsOf(resource).filter(({ name }) => (base[name] ?? '') !== '');
  if (facts.length === 0) return undefined;
  const stages = stagesOf(resource);
  return html`<dl class="facts">
    ${facts.map(
      (field) =>
        html`<div key=${field.name} class=${field.isComputed ? 'total' : undefined}>
          <dt>${field.title}</dt>
          <dd><${Cell} value=${base[field.name]} field=${field} stageOf=${stages.get(field.name)} /></dd>
        </div>`,
    )}
  </dl>`;
}
