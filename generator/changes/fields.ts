import { rowOf } from '../model/field-types.ts';
import type { Field, Resource } from '../model/model.ts';
import { takes } from '../model/operations.ts';
import { breaking, type Difference, safe } from './change.ts';
import { writersOf } from './clients.ts';
import { fieldRules } from './field-rules.ts';
import { code, valueCode } from './markdown.ts';
import { pairFields } from './pairs.ts';

/** The prefix of the ids of a field's changes; `transitions/<name>/removed` is a change of a transition. */
const pathOf = ({ name }: Field): string => (name === 'transitions' ? `fields/${name}` : name);

function addedField(field: Field, resource: Resource): Difference {
  const words = [field.required ? 'required' : 'optional', ...(field.readOnly ? ['read-only'] : []), rowOf(field).noun];
  const what = `${code(field.name)} is new (${words.join(' ')}).`;
  const inAnswers = 'Answers gain a key: readers that reject unknown keys must learn it first.';
  const at = `${pathOf(field)}/added`;
  if (!field.required) return safe(at, `${what} ${inAnswers}`);
  if (resource.kind === 'singleton') return safe(at, `${what} It is null until an update sets it. ${inAnswers}`);
  const older = takes(resource, 'create') ? 'A create without it is refused with 422. ' : '';
  if (field.nullable) return breaking(at, ['creators'], `${what} ${older}Older records hold null. ${inAnswers}`);
  if (field.backfill !== null) {
    return breaking(at, ['creators'], `${what} ${older}Older records show ${valueCode(field.backfill)}. ${inAnswers}`);
  }
  const refused = 'The next start is refused if there are records: give them a value by `backfill`. ';
  return breaking(at, ['creators', 'readers'], `${what} ${older}${refused}${inAnswers}`);
}

function removedField(field: Field, added: readonly Field[]): Difference {
  const name = code(field.name);
  const alike = added.filter(({ type }) => type === field.type);
  const [candidate] = alike;
  const hint =
    candidate && alike.length === 1
      ? ` If it is now called ${code(candidate.name)}, add ${code(`renamed_from: ${field.name}`)} to it.`
      : '';
  const message = `${name} is removed: answers no longer have it, and a body that has it is refused with 422.${hint}`;
  return breaking(`${pathOf(field)}/removed`, ['readers', ...writersOf(field)], message);
}

function renamedField(before: Field, after: Field): Difference {
  const message =
    `${code(before.name)} is now called ${code(after.name)}: answers no longer have the old name, and a body that has ` +
    'it is refused with 422. The data is kept.';
  return breaking(`${pathOf(before)}/renamed`, ['readers', ...writersOf(before)], message);
}

/** Compares the fields of a resource. */
export function compareFields(before: Resource, after: Resource): Difference[] {
  const { pairs, added, removed } = pairFields(before, after);
  const differences = [
    ...removed.map((field) => removedField(field, added)),
    ...pairs.flatMap((pair) => [
      ...(pair.before.name === pair.after.name ? [] : [renamedField(pair.before, pair.after)]),
      ...Object.values(fieldRules)
        .flatMap((rule) => rule(pair.before, pair.after, after))
        .map((difference) => ({ ...difference, at: `${pathOf(pair.before)}/${difference.at}` })),
    ]),
    ...added.map((field) => addedField(field, after)),
  ];
  const order = pairs.map((pair) => before.fields.indexOf(pair.before));
  if (order.some((index, i) => i > 0 && index < (order[i - 1] ?? 0))) {
    differences.push(safe('fields/reordered', 'The order of the fields changes in answers and documents.'));
  }
  return differences;
}
