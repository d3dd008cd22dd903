import { eachOnItsLine } from '../json.ts';
import { basePath } from '../../../runtime/model/operations.ts';
import { areaOf, type Resource, type Service } from '../../model/model.ts';
import { capitalize, sharedTag } from '../../model/names.ts';
import { isListed } from '../../model/operations.ts';
import { columnsOf } from '../../model/columns.ts';
import type { JsonObject } from './reference.ts';

/** The tag of a resource: the name that its operations are listed under. */
export const tagOf = ({ title }: Resource): string => capitalize(title);

/** The parent of a line item: its path, where this service has it, and the fields that name it. */
function parentObject({ parent }: Resource): JsonObject | undefined {
  if (!parent) return undefined;
  const { field, typeField, resource } = parent;
  return {
    field,
    ...(typeField !== undefined && { type_field: typeField }),
    ...(resource !== undefined && { path: `${basePath}/${resource}` }),
  };
}

/** The tag object of a resource. `x-resource` tells programs that are made from the document what it is. */
export function tagObject(resource: Resource): JsonObject {
  const { kind, name, path, doc, lock } = resource;
  const parent = parentObject(resource);
  return {
    name: tagOf(resource),
    description: doc,
    'x-resource': {
      path,
      kind,
      name,
      ...(parent && { parent }),
      ...(lock && { lock: { ...lock } }),
      ...(isListed(resource) && { columns: columnsOf(resource) }),
    },
  };
}

/** The tag of the operations that belong to no resource. */
export const sharedTagObject: JsonObject = {
  name: sharedTag,
  description: 'Operations on more than one resource: several writes at once, and the API key in use.',
};

/** The areas as groups of tags, in the order of their paths. */
export function tagGroups({ resources, areas }: Service): JsonObject[] {
  const groups = [...Map.groupBy(resources, areaOf)].map(([area, within]) => ({
    name: (Object.hasOwn(areas, area) ? areas[area] : undefined) ?? capitalize(area.replaceAll('-', ' ')),
    tags: eachOnItsLine(within.map(tagOf)),
  }));
  return [...groups, { name: sharedTag, tags: [sharedTag] }];
}
