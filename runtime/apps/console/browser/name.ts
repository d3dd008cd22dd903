import type { RecordData } from './api.ts';
import { type Field, fieldOf, isFreeText, isNumeric, type Resource } from './model.ts';
import { stagesOf } from './stages.ts';
import { isBlank, shorten } from './text.ts';
import { textOf } from './value-text.ts';

/** The ends of the names of fields that title a record, the best first. */
const naming = [/(^|_)(title|subject|name)$/, /(^|_)(customer|party|supplier|company)$/];

/** As many fields are tried for a name. */
const maxTried = 5;

/** Dates and numbers that lists show name a record better than its id does. */
const isPlain = (field: Field): boolean => isNumeric(field) || field.format === 'date' || field.format === 'date-time';

/** Texts that no two records share, like a number that the service gives. */
const isIdentifier = (field: Field): boolean => isFreeText(field) && field.isUnique === true;

/** The fields that name a record if the spec does not say it, the best first: its title, subject or name, its number, other texts that lists show of it, or what else they show. */
function usualFields(resource: Resource): readonly Field[] {
  const { fields, columns } = resource;
  const stages = stagesOf(resource);
  const all = [...columns, ...fields];
  const texts = all.filter((field) => isFreeText(field) && !field.readOnly && !stages.has(field.name));
  const [titles = [], parties = []] = naming.map((ends) => texts.filter(({ name }) => ends.test(name)));
  const candidates = new Set([...titles, ...all.filter(isIdentifier), ...parties, ...texts]);
  const ordered = [...candidates].slice(0, maxTried);
  const certain = ordered.findIndex((field) => field.required || (field.readOnly && isIdentifier(field)));
  return certain < 0 ? [...ordered, ...columns.filter(isPlain)] : ordered.slice(0, certain + 1);
}

/** The fields that names of records are read from: of this one, and of others that lead through it. */
export const namingFields = (resource: Resource): readonly Field[] => [
  ...new Set([...(resource.recordTitle.length > 0 ? [] : usualFields(resource)), ...resource.titleFields]),
];

/** Whether the name of a record is also read from records that it names. */
export const hasPaths = ({ recordTitle }: Resource): boolean => recordTitle.some((path) => path.includes('.'));

/**
 * The name of a record whose title the spec says; undefined if it has none. Texts of the record itself are words of a name, all else
 * stands apart from them.
 *
 * @param texts those of the parts of the title, in their order
 */
export function joinName(resource: Resource, texts: readonly string[]): string | undefined {
  const parts = resource.recordTitle.map((path, at) => {
    const field = fieldOf(resource, path);
    return { text: texts[at]?.trim() ?? '', isWord: field !== undefined && isFreeText(field) };
  });
  const there = parts.filter(({ text }) => !isBlank(text));
  const joined = there.map(({ text, isWord }, at) => {
    const before = there[at - 1];
    return before ? `${before.isWord && isWord ? ' ' : ' · '}${text}` : text;
  });
  return joined.length === 0 ? undefined : shorten(joined.join(''), 80);
}

/** The name of a record whose title the spec does not say, or of whose title nothing is there. */
function usualName(resource: Resource, record: Partial<RecordData>): string | undefined {
  const texts = usualFields(resource).map((field) => textOf(record[field.name], field));
  const name = texts.find((text) => !isBlank(text));
  return name === undefined ? undefined : shorten(name, 80);
}

/** The name of a record for people, read from its own fields; undefined if it has none. */
export function recordName(resource: Resource, record: Partial<RecordData>): string | undefined {
  const fields = resource.recordTitle.map((name) => fieldOf(resource, name));
  const texts = fields.map((field) => (field ? textOf(record[field.name], field) : ''));
  return joinName(resource, texts) ?? usualName(resource, record);
}
