import { fieldTypeRow } from '../model/field-types.ts';
import { type Field, mustBeSent, type Resource, shownForNone, targetsOf } from '../model/model.ts';
import { takes } from '../model/operations.ts';
import { breaking, type Difference, safe, writersOf } from './change.ts';
import { fieldRules } from './field-rules.ts';
import { code, valueCode } from './markdown.ts';
import { pairFields, renameHint } from './pairs.ts';

/** The prefix of the ids of a field's changes; `transitions/<name>/removed` is a change of a transition. */
const changePath = ({ name }: Field): string => (name === 'transitions' ? `fields/${name}` : name);

function addedField(field: Field, resource: Resource): Difference {
  const words = [
    field.required ? 'required' : 'optional',
    ...(field.readOnly ? ['read-only'] : []),
    fieldTypeRow(field).noun,
  ];
  const what = `${code(field.name)} is new (${words.join(' ')}).`;
  const inResponses = 'Responses gain a key: readers that reject unknown keys must learn it first.';
  const at = `${changePath(field)}/added`;
  const refused = 'The next start is refused if there are records: give them a value by `backfill`. ';
  if (field.sequence) return safe(at, `${what} The next start numbers older records. ${inResponses}`);
  if (field.computed !== undefined) {
    return safe(at, `${what} The next start computes it in all records. ${inResponses}`);
  }
  if (!field.required && !field.nullable && shownForNone(field) === null) {
    return breaking(at, ['readers'], `${what} ${refused}${inResponses}`);
  }
  if (!field.required) return safe(at, `${what} ${inResponses}`);
  if (resource.kind === 'singleton') return safe(at, `${what} It is null until an update sets it. ${inResponses}`);
  const isSent = takes(resource, 'create') && mustBeSent(field);
  const older = isSent ? 'A create without it is refused with 422. ' : '';
  if (field.nullable) return breaking(at, ['creators'], `${what} ${older}Older records hold null. ${inResponses}`);
  if (field.backfill !== null) {
    const message = `${what} ${older}Older records show ${valueCode(field.backfill)}. ${inResponses}`;
    return mustBeSent(field) ? breaking(at, ['creators'], message) : safe(at, message);
  }
  const affected = mustBeSent(field) ? (['creators', 'readers'] as const) : (['readers'] as const);
  return breaking(at, affected, `${what} ${older}${refused}${inResponses}`);
}

function removedField(field: Field, added: readonly Field[]): Difference {
  const name = code(field.name);
  const alike = added.filter(({ type }) => type === field.type);
  const hint = renameHint(alike, field.name);
  const message = `${name} is removed: responses no longer have it, and a body that has it is refused with 422.${hint}`;
  return breaking(`${changePath(field)}/removed`, ['readers', ...writersOf(field)], message);
}

function renamedField(before: Field, after: Field): Difference {
  const message =
    `${code(before.name)} is now called ${code(after.name)}: responses no longer have the old name, and a body that has ` +
    'it is refused with 422. The data is kept.';
  return breaking(`${changePath(before)}/renamed`, ['readers', ...writersOf(before)], message);
}

/** Gives a field of the base the current key of the resource that it references. */
export const asNow =
  (keyNow: (key: string | undefined) => string | undefined) =>
  (field: Field): Field => {
    if (field.type !== 'reference') return field;
    const [resource = '', ...others] = targetsOf(field).map((target) => keyNow(target.resource) ?? target.resource);
    return { ...field, resource, others: others.map((key) => ({ resource: key, table: '' })) };
  };

/**
 * Compares the fields of a resource.
 *
 * @param keyNow the current key of a resource of the base, which fields reference
 */
export function compareFields(
  before: Resource,
  after: Resource,
  keyNow: (key: string | undefined) => string | undefined,
): Difference[] {
  const { pairs, added, removed } = pairFields(before, after);
  const differences = [
    ...removed.map((field) => removedField(field, added)),
    ...pairs.flatMap((pair) => [
      ...(pair.before.name === pair.after.name ? [] : [renamedField(pair.before, pair.after)]),
      ...Object.values(fieldRules)
        .flatMap((rule) => rule(asNow(keyNow)(pair.before), pair.after, after))
        .map((difference) => ({ ...difference, at: `${changePath(pair.before)}/${difference.at}` })),
    ]),
    ...added.map((field) => addedField(field, after)),
  ];
  const order = pairs.map((pair) => before.fields.indexOf(pair.before));
  if (order.some((index, i) => i > 0 && index < (order[i - 1] ?? 0))) {
    differences.push(safe('fields/reordered', 'The order of the fields changes in responses and documents.'));
  }
  return differences;
}
