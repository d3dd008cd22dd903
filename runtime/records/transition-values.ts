import type { Value } from '../model/fields.ts';
import { valueOfMoment } from '../model/moments.ts';
import type { WriteOf } from './write.ts';

/** The values that a transition gives a record: the state, those of its `set`, and others. @param actor who makes it */
export function valuesOfTransition(
  { field, to, set: computed = {}, input = {}, values, time }: WriteOf<'transition'>,
  actor: string | null,
): Readonly<Record<string, Value>> {
  const set: Record<string, Value> = { [field]: to };
  for (const [column, value] of Object.entries(computed)) {
    if ('by' in value) set[column] = actor;
    else set[column] = 'input' in value ? (input[value.input] ?? null) : valueOfMoment(value, time);
  }
  return { ...set, ...values };
}
