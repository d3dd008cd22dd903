import { z } from 'zod';
import { factsOf, type Value } from '../../model/fields.ts';
import { schemaOf } from '../../model/table.ts';
import { brokenRuleOf } from '../../model/validate.ts';
import type { Resource } from '../transfer/resource.ts';
import type { Document } from './document.ts';
import type { Scene } from './scene.ts';
import { formattedFor, numberFor, otherStates, rarelySet, textFor } from './values.ts';

/** Ids of records that were made, by their tables. */
export type Ids = ReadonlyMap<string, readonly string[]>;

/** The table whose record a field names: `lead` or `lead_id` names a lead. */
export const referenceOf = (field: string, tables: ReadonlySet<string>): string | undefined =>
  [field, field.replace(/_id$/, '')].find((name) => tables.has(name));

/** Texts and numbers that a field may take where nothing is known of it. */
const lastResorts: readonly Value[] = [
  'Standard',
  'A',
  'standard',
  'AB-123456',
  '09:00',
  '1',
  'true',
  1,
  10,
  0,
  0.5,
  100,
  1_000,
];

/**
 * Invents the body of a create. Its references name records that are there already.
 *
 * @param parent the id of the parent of a line item, if its parent is a record of this service
 * @returns undefined if there is no value for a field that must have one
 */
export function inventBody(
  { table, path }: Resource,
  document: Document,
  scene: Scene,
  ids: Ids,
  parent: string | undefined,
): Record<string, Value> | undefined {
  const body: Record<string, Value> = {};
  const { random } = scene;
  const tables = new Set(ids.keys());
  for (const [name, field] of Object.entries(schemaOf(table).shape) as [string, z.ZodType][]) {
    const { presence, default: absent } = factsOf(field);
    if (presence === 'server' || (table.kind === 'line-item' && name === 'idx')) continue;
    const takes = (value: unknown): value is Value => value !== undefined && brokenRuleOf(field, value) === undefined;
    const reference = ids.get(referenceOf(name, tables) ?? '') ?? [];
    const states = typeof absent === 'string' ? otherStates[absent] : undefined;
    const candidates: unknown[] = [];
    if (name === table.parent?.field && parent !== undefined) candidates.push(parent);
    else if (reference.length > 0 && name !== table.name) candidates.push(random.of(reference));
    else if (states) candidates.push(random.of(states));
    else if (presence === 'required' || (absent === null && (!rarelySet.test(name) || random.chance(0.25)))) {
      candidates.push(candidateFor(field, scene, name));
    }
    if (presence === 'required') candidates.push(document.exampleOf(path, name), ...lastResorts);
    const value = candidates.find((candidate) => takes(candidate));
    if (value !== undefined) body[name] = value as Value;
    else if (presence === 'required') return undefined;
  }
  return body;
}

function candidateFor(field: z.ZodType, scene: Scene, name: string): unknown {
  const { type, format } = factsOf(field);
  const plain = field instanceof z.ZodNullable ? field.unwrap() : field;
  if (plain instanceof z.ZodEnum) return scene.random.of(plain.options);
  if (type === 'boolean') return scene.random.chance(0.1);
  if (type === 'bigint') return Math.round(numberFor(scene, name));
  if (type === 'double precision') return numberFor(scene, name);
  return format === undefined ? textFor(scene, name) : formattedFor(scene, name, format);
}
