import { idLength } from '../../runtime/kernel/model/ids.ts';
import { maxBodyBytes, maxTextLength } from '../../runtime/kernel/model/limits.ts';
import type { Resource } from '../model/model.ts';
import type { ReadResource } from './resource.ts';
import type { CheckedFile } from './structure.ts';

/** Refuses what is valid and can never work: parent fields too short for an id, and strings too long for a body. */
export function checkUseless(read: readonly ReadResource[]): void {
  for (const { file, resource } of read) {
    if (!resource) continue;
    const parent = read.find((other) => other.resource?.key === resource.parent?.resource)?.resource;
    if (parent) checkParentField(file, resource, parent);
    checkBody(file, resource);
  }
}

function checkParentField(file: CheckedFile, { fields, parent: link }: Resource, parent: Resource): void {
  const field = fields.find(({ name }) => name === link?.field);
  if (field?.type !== 'text') return;
  // Older ids begin with a former name.
  const lengths = [parent.name, ...parent.renamedFrom].map(idLength);
  if (Math.min(...lengths) <= (field.maxLength ?? maxTextLength)) return;
  const { name } = field;
  const ids = `the ids of ${parent.key}, such as ${parent.name}_01M7Y4YG13000B0XK630YDQN92`;
  file.atValue(['fields', name, 'max_length'], `${name}: max_length is too short for ${ids}`);
}

/** Refuses strings that a body has no room for. */
function checkBody(file: CheckedFile, { fields, maxBody = maxBodyBytes }: Resource): void {
  for (const field of fields) {
    if (field.type !== 'text' || (field.maxLength ?? 0) <= maxBody) continue;
    const words = `max_length is more than fits in the ${maxBody} bytes of a request body; lower it or raise max_body`;
    file.atValue(['fields', field.name, 'max_length'], `${field.name}: ${words}`);
  }
}
