import type { Field, Resource } from '../model.ts';
import { breaking, type Finding, safe } from './change.ts';
import { writersOf } from './clients.ts';
import { fieldRules } from './field-rules.ts';
import { code } from './markdown.ts';
import { pairFields } from './pairs.ts';

/** The place of a field. `transitions/<name>/removed` is that of a transition. */
const placeOf = ({ name }: Field): string => (name === 'transitions' ? `fields/${name}` : name);

const typeWords: Readonly<Record<Field['type'], string>> = {
  text: 'string',
  date: 'date',
  'date-time': 'date with its time',
  enum: 'string of an enum',
  integer: 'integer',
  number: 'number',
  boolean: 'boolean',
};

function addedField(field: Field, { kind, operations }: Resource): Finding {
  const words = [
    field.required ? 'required' : 'optional',
    ...(field.readOnly ? ['read-only'] : []),
    typeWords[field.type],
  ];
  const what = `${code(field.name)} is new (${words.join(' ')}).`;
  const inAnswers = 'Answers have one key more, which readers that refuse unknown keys have to learn first.';
  const at = `${placeOf(field)}/added`;
  if (!field.required) return safe(at, `${what} ${inAnswers}`);
  if (kind === 'singleton') return safe(at, `${what} It is null until an update sets it. ${inAnswers}`);
  const older = operations.includes('create') ? 'A create without it is refused with 422. ' : '';
  return breaking(at, ['creators'], `${what} ${older}Older records hold null until an update sets it. ${inAnswers}`);
}

function removedField(field: Field, added: readonly Field[]): Finding {
  const name = code(field.name);
  const alike = added.filter(({ type }) => type === field.type);
  const [candidate] = alike;
  const hint =
    candidate && alike.length === 1
      ? ` If it is now called ${code(candidate.name)}, say ${code(`renamed_from: ${field.name}`)} there.`
      : '';
  const message = `${name} is removed: answers no longer have it, and a body that has it is refused with 422.${hint}`;
  return breaking(`${placeOf(field)}/removed`, ['readers', ...sendersOf(field)], message);
}

// An update may repeat what only the service sets, so that clients can send back what they read.
const sendersOf = (field: Field) => (field.readOnly ? (['updaters'] as const) : writersOf(field));

function renamedField(before: Field, after: Field): Finding {
  const message =
    `${code(before.name)} is now called ${code(after.name)}: answers no longer have the old name, and a body that has ` +
    'it is refused with 422. The data is kept.';
  return breaking(`${placeOf(before)}/renamed`, ['readers', ...sendersOf(before)], message);
}

/** Compares the fields of a resource. */
export function compareFields(before: Resource, after: Resource): Finding[] {
  const { pairs, added, removed } = pairFields(before, after);
  const findings = [
    ...removed.map((field) => removedField(field, added)),
    ...pairs.flatMap((pair) => [
      ...(pair.before.name === pair.after.name ? [] : [renamedField(pair.before, pair.after)]),
      ...Object.values(fieldRules)
        .flatMap((rule) => rule(pair.before, pair.after, after))
        .map((finding) => ({ ...finding, at: `${placeOf(pair.before)}/${finding.at}` })),
    ]),
    ...added.map((field) => addedField(field, after)),
  ];
  const order = pairs.map((pair) => before.fields.indexOf(pair.before));
  if (order.some((place, i) => i > 0 && place < (order[i - 1] ?? 0))) {
    findings.push(safe('fields/reordered', 'The fields stand in another order, in answers and in documents.'));
  }
  return findings;
}
