import { z } from 'zod';
import { factsOf, targetsOf, type Value } from '../../kernel/model/fields.ts';
import type { Transition } from '../../kernel/model/operations.ts';
import { type Column, schemaOf, type Table } from '../../kernel/model/table.ts';
import { brokenRuleOf } from '../../kernel/model/validate.ts';
import type { Resource } from '../transfer/resource.ts';
import { numberFor, rarelySet, type Scene, textFor } from './values.ts';
import { makeUnique } from './unique.ts';
import { otherStates } from './words.ts';

/** Ids of records that were made, by their tables. */
export type Ids = ReadonlyMap<string, readonly string[]>;

/** The tables whose records a field names: those of its reference. Without one, `lead` or `lead_id` names a lead. */
export const referencesOf = (
  { name, references }: Pick<Column, 'name' | 'references'>,
  tables: Pick<Ids, 'has'>,
): readonly string[] =>
  references ? targetsOf(references) : [name, name.replace(/_id$/, '')].filter((one) => tables.has(one)).slice(0, 1);

/** When something was done that a new record waits for: `returned_at`, `paid_on`. */
const laterEvent = /(?:ed|paid|sent|done)_(?:at|on|by|date)$/;

/** Whether records begin in a state, so that they have not gone through all that can be done with them. */
const isStateful = ({ transitions, columns }: Table): boolean =>
  transitions.length > 0 ||
  columns.some(({ name, default: first }) => /^(?:status|state)$/.test(name) && first !== null);

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Values for required fields of which nothing is known. */
const lastResorts: readonly Value[] = ['Standard', 'A', 'standard', 'AB-123456', '09:00', '1', 1, 10, 0, 0.5, 100];

/**
 * Invents the body of a create. Its references name records that are there already.
 *
 * @param parent the id of the parent of a line item, if its parent is a record of this service
 * @returns undefined if there is no value for a field that must have one
 */
export function inventBody(
  { table }: Resource,
  scene: Scene,
  ids: Ids,
  parent: string | undefined,
): Record<string, Value> | undefined {
  const body = inventFields(schemaOf(table), scene, ids, table, parent);
  const idsOf = (name: string): readonly string[] | undefined => {
    // Several line items share a parent.
    if (name === table.parent?.field) return [];
    const column = table.columns.find((one) => one.name === name);
    const named = column ? referencesOf(column, ids) : [];
    return named.length === 0 ? undefined : named.flatMap((one) => ids.get(one) ?? []);
  };
  return body && makeUnique(table, body, scene.number, scene.turn, idsOf) ? body : undefined;
}

/**
 * Invents the input of a transition.
 *
 * @returns undefined if there is no value for a field that must have one
 */
export const inventInput = (transition: Transition, scene: Scene, ids: Ids): Record<string, Value> | undefined =>
  inventFields(schemaOf(transition), scene, ids);

function inventFields(
  schema: z.ZodObject,
  scene: Scene,
  ids: Ids,
  table?: Table,
  parent?: string,
): Record<string, Value> | undefined {
  const body: Record<string, Value> = {};
  const { random } = scene;
  // Most rules allow null, and not every other value.
  const ruled = new Set(table?.logic?.rules.map(({ field }) => field));
  const hasState = table !== undefined && isStateful(table);
  for (const [name, field] of Object.entries(schema.shape) as [string, z.ZodType][]) {
    const { presence, default: absent, references, moment, copies, isNullable } = factsOf(field);
    const isKept =
      table?.locks?.some(({ field: locking }) => locking === name) || (table?.kind === 'line-item' && name === 'idx');
    // There may be nothing to copy.
    const isRequired = presence === 'required' || (copies !== undefined && !isNullable);
    // The default names whoever fills in the demo data, or is that of another record.
    const isKnown = (moment !== undefined && 'by' in moment) || (copies !== undefined && isNullable);
    if (
      presence === 'server' ||
      isKept ||
      isKnown ||
      (!isRequired && (ruled.has(name) || (hasState && laterEvent.test(name))))
    )
      continue;
    const named =
      name === table?.name && !references ? [] : referencesOf({ name, ...(references && { references }) }, ids);
    const reference = named.flatMap((one) => ids.get(one) ?? []);
    if (references && reference.length === 0) {
      if (isRequired) return undefined;
      continue;
    }
    const states = typeof absent === 'string' ? otherStates[absent] : undefined;
    const candidates: unknown[] = [];
    if (name === table?.parent?.field && parent !== undefined) candidates.push(parent);
    else if (reference.length > 0) candidates.push(random.of(reference));
    else if (states) candidates.push(random.of(states));
    else if (isRequired || (absent === null && (!rarelySet.test(name) || random.next() < 0.25)))
      candidates.push(inventValue(field, scene, name));
    if (isRequired) candidates.push(...(table ? [`${capitalize(table.title)} ${scene.number}`] : []), ...lastResorts);
    const value = candidates.find((one) => one !== undefined && brokenRuleOf(field, one) === undefined);
    if (value !== undefined) body[name] = value as Value;
    else if (isRequired) return undefined;
  }
  return body;
}

/** A list of some values, none of them twice. */
function inventList(of: z.ZodType, max: number, scene: Scene, name: string): unknown[] {
  const length = Math.min(max, 1 + Math.floor(scene.random.next() * 3));
  const values = Array.from({ length }, () => inventValue(of, scene, name) ?? scene.random.of(lastResorts));
  return [...new Set(values)].filter((value) => brokenRuleOf(of, value) === undefined);
}

/** A value for a field of this name, which may break its rules; undefined if none would be believable. */
export function inventValue(field: z.ZodType, scene: Scene, name: string): unknown {
  const { type, format, scale, items, maxItems = 0 } = factsOf(field);
  if (items) return inventList(items, maxItems, scene, name);
  if (type === 'json') return { note: `${capitalize(name.replaceAll('_', ' '))} ${scene.number}` };
  const plain = field instanceof z.ZodNullable ? field.unwrap() : field;
  if (plain instanceof z.ZodEnum) return scene.random.of(plain.options);
  if (type === 'boolean') return scene.random.next() < 0.1;
  if (type === 'decimal') return numberFor(scene, name).toFixed(scale);
  if (type === 'bigint') return Math.round(numberFor(scene, name));
  return type === 'double precision' ? numberFor(scene, name) : textFor(scene, name, format);
}
