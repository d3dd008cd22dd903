import { maxTextLength } from '../../runtime/kernel/model/limits.ts';
import type { Field, Resource } from './model.ts';
import { isListed } from './operations.ts';

/** How many columns a list has where the spec names none. */
const defaultColumns = 6;

/** Whether a field can hold more text than fits in a column, an index or a filter. */
export const isLong = (field: Field): boolean => field.type === 'text' && (field.maxLength ?? 0) > maxTextLength;

/**
 * The fields that a table of the resource's records shows, from left to right: those that `list.columns` names.
 *
 * If the spec names none, they are its first six fields, and behind the first of them the states: one that is appended later pushes
 * none of them out. Numbers that the list sums follow. The field of the parent, which is the same in a whole list, JSON and texts of
 * more than 65,536 characters are left out, and so are parts of the title that a row begins with, unless the list is sorted by
 * them. A resource without a list has no columns.
 */
export function columnsOf(resource: Resource): readonly string[] {
  const { fields, list, parent, recordTitle, transitions } = resource;
  if (!isListed(resource) || list.columns.length > 0) return list.columns;
  const isTitled = recordTitle.length > 1;
  const candidates = fields.filter(
    (field) =>
      field.name !== parent?.field &&
      field.type !== 'json' &&
      !isLong(field) &&
      !(isTitled && recordTitle.includes(field.name) && !list.sort.includes(field.name)),
  );
  const [first = [], ...others] = candidates.slice(0, defaultColumns).map(({ name }) => [name]);
  const states = transitions.map(({ field }) => field);
  return [...new Set([...first, ...states, ...others.flat(), ...list.sum])];
}
