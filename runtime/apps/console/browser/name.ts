import type { RecordData } from './api.ts';
import { type Field, isFreeText, type Resource } from './model.ts';
import { shorten } from './text.ts';

/** The ends of the names of fields that title a record, the best first. */
const naming = [/(^|_)(title|subject|name)$/, /(^|_)(customer|party|supplier|company)$/];

/** As many fields are tried for a name. */
const maxTried = 5;

/** The fields that name a record, the best first: its title, subject or name, or other texts that lists show of it. */
export function namingFields({ fields, columns, transitions }: Resource): readonly Field[] {
  const isState = (name: string): boolean => transitions.some(({ field }) => field === name) || name === 'status';
  const texts = [...columns, ...fields].filter((field) => isFreeText(field) && !field.readOnly && !isState(field.name));
  const candidates = new Set([...naming.flatMap((ends) => texts.filter(({ name }) => ends.test(name))), ...texts]);
  const ordered = [...candidates].slice(0, maxTried);
  const certain = ordered.findIndex(({ required }) => required);
  return certain < 0 ? ordered : ordered.slice(0, certain + 1);
}

/** The name of a record for people; undefined if it has none. */
export function recordName(resource: Resource, record: Partial<RecordData>): string | undefined {
  const texts = namingFields(resource).map(({ name }) => record[name]);
  const found = texts.find((value) => typeof value === 'string' && value.trim() !== '');
  return typeof found === 'string' ? shorten(found, 80) : undefined;
}
