import type { RecordData } from '../api.ts';
import type { Resource } from '../model.ts';
import { shorten } from '../text.ts';

/** The ends of the names of fields that title a record, the best first. */
const naming = [/(^|_)(title|subject|name)$/, /(^|_)(customer|party|supplier|company)$/];

/** The name of a record: its title, subject or name, or another text that lists show of it. */
function nameOf({ fields, columns, transitions }: Resource, record: Partial<RecordData>): string | undefined {
  const isState = (name: string): boolean => transitions.some(({ field }) => field === name) || name === 'status';
  const texts = [...columns, ...fields].filter(
    ({ name, type, format, readOnly }) => type === 'string' && !format && !readOnly && !isState(name),
  );
  const candidates = [...naming.flatMap((ends) => texts.filter(({ name }) => ends.test(name))), ...texts];
  const found = candidates
    .map(({ name }) => record[name])
    .find((value) => typeof value === 'string' && value.trim() !== '');
  return typeof found === 'string' ? shorten(found, 80) : undefined;
}

/** The heading of the page of a record. */
export function headingOf(resource: Resource, id: string | undefined, record: Partial<RecordData>): string {
  if (resource.fields.length === 0) return `${resource.title} of ${id}`;
  if (resource.kind === 'singleton') return resource.title;
  if (id === undefined) return `New ${resource.title.toLowerCase()}`;
  return nameOf(resource, record) ?? id;
}
