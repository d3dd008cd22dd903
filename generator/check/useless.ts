import { idCharacters } from '../../runtime/model/ids.ts';
import { maxBodyBytes, maxTextLength } from '../../runtime/model/limits.ts';
import { valueAt } from '../../runtime/model/validate.ts';
import { Pattern } from '../../runtime/model/pattern.ts';
import type { Field, Resource } from '../model.ts';
import type { ReadResource } from './resource.ts';
import { matchesOneOf } from './pattern.ts';
import type { CheckedFile } from './structure.ts';

/** Refuses what is valid and can never work: parent fields that hold no id, and bodies over their limit. */
export function checkUseless(read: readonly ReadResource[]): void {
  for (const { file, resource } of read) {
    if (!resource) continue;
    const parent = read.find((other) => other.resource?.key === resource.parent?.resource)?.resource;
    if (parent) checkParentField(file, resource, parent);
    checkBodies(file, resource, parent);
  }
}

/** The ids that records of a resource can have, as characters by position; older ones begin with a former name. */
const idsOf = ({ name, renamedFrom }: Resource): string[][] => [name, ...renamedFrom].map(idCharacters);

function checkParentField(file: CheckedFile, { fields, parent: link }: Resource, parent: Resource): void {
  const field = fields.find(({ name }) => name === link?.field);
  if (field?.type !== 'text') return;
  const { name, minLength = 0, maxLength = maxTextLength, pattern } = field;
  const ids = idsOf(parent);
  const example = `${parent.name}_01M7Y4YG13000B0XK630YDQN92`;
  const refuse = (key: string, why: string): void =>
    file.atValue(['fields', name, key], `${name}: ${why} of ${parent.key}, such as ${example}`);
  if (ids.every(({ length }) => length > maxLength)) refuse('max_length', `max_length is too short for the ids`);
  if (ids.every(({ length }) => length < minLength)) refuse('min_length', `min_length is too long for the ids`);
  if (pattern !== undefined && !ids.some((characters) => matchesOneOf(new Pattern(pattern), characters))) {
    refuse('pattern', `the pattern matches no id`);
  }
}

/** The fewest bytes of a field's value in JSON. */
function smallestValue(field: Field, resource: Resource, parent: Resource | undefined): number {
  const quotes = 2;
  if (parent && field.name === resource.parent?.field) {
    return quotes + Math.min(...idsOf(parent).map(({ length }) => length));
  }
  if (field.type === 'integer' || field.type === 'number') return 1;
  if (field.type === 'boolean') return 'true'.length;
  let smallest = quotes;
  if (field.type === 'text') smallest += field.minLength ?? 0;
  if (field.type === 'enum') smallest = Math.min(...field.values.map(bytesOf));
  return field.nullable ? Math.min(smallest, 'null'.length) : smallest;
}

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** Refuses a limit of bodies that the smallest body of an operation exceeds, and fields that exceed it alone. */
function checkBodies(file: CheckedFile, resource: Resource, parent: Resource | undefined): void {
  const { maxBody = maxBodyBytes, operations } = resource;
  const fields = resource.fields.filter(({ readOnly }) => !readOnly);
  const bodyOf = (members: readonly Field[]): number => {
    const bytes = members.map((field) => bytesOf(field.name) + ':'.length + smallestValue(field, resource, parent));
    return '{}'.length + bytes.reduce((sum, more) => sum + more, Math.max(0, members.length - 1));
  };
  const limit = `the ${maxBody === 1 ? 'one byte' : `${maxBody} bytes`} of a request body`;
  const isWritten = valueAt(file.spec.data, ['max_body']) !== undefined;
  const tooLarge = fields.filter((field) => bodyOf([field]) > maxBody);
  for (const field of tooLarge) {
    const isLong = field.type === 'text' && (field.minLength ?? 0) > 0;
    const path = isLong ? ['fields', field.name, 'min_length'] : ['max_body'];
    file.atValue(path, `${field.name}: its shortest value does not fit in ${limit}; raise max_body`);
  }
  for (const field of fields) {
    if (field.type !== 'text' || field.maxLength === undefined || field.maxLength <= maxBody) continue;
    file.atValue(
      ['fields', field.name, 'max_length'],
      `${field.name}: max_length is more than fits in ${limit}; lower it or raise max_body`,
    );
  }
  const [id = []] = idsOf(resource);
  const smallest = {
    create: bodyOf(fields.filter(({ required }) => required)),
    reorder: bytesOf({ items: [{ id: id.map(() => '0').join(''), idx: 0 }] }),
  };
  for (const operation of ['create', 'reorder'] as const) {
    if (tooLarge.length > 0 || !operations.includes(operation) || smallest[operation] <= maxBody) continue;
    const path = isWritten ? ['max_body'] : ['fields'];
    file.atValue(path, `the smallest body of ${operation} has ${smallest[operation]} bytes, more than ${limit}`);
    return;
  }
}
