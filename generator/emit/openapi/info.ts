import { basePath } from '../../../runtime/kernel/model/operations.ts';
import { columnsOf } from '../../model/columns.ts';
import { areaOf, type FormGroup, type Resource, type Service } from '../../model/model.ts';
import { capitalize, sharedTag } from '../../model/names.ts';
import { isListed } from '../../model/operations.ts';
import { eachOnItsLine } from '../json.ts';
import { guideName, guideTags } from './guide.ts';
import type { JsonObject } from './reference.ts';

/** The info object of a service. */
export const infoObject = (service: Service): JsonObject => ({
  title: service.title,
  version: service.version,
  description: service.doc,
  ...(service.contact && { contact: service.contact as JsonObject }),
  license: { name: service.license, identifier: service.license },
});

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

const groupObject = ({ title, fields, showIf }: FormGroup): JsonObject => ({
  title,
  fields,
  ...(showIf && { show_if: showIf.text }),
});

/** The tag object of a resource. `x-resource` tells programs that are made from the document what it is. */
export function tagObject(resource: Resource): JsonObject {
  const { kind, name, path, doc, plural, lock, archive, form, recordTitle } = resource;
  const parent = parentObject(resource);
  return {
    name: tagOf(resource),
    description: doc,
    'x-resource': {
      path,
      kind,
      name,
      ...(kind !== 'singleton' && { plural: capitalize(plural) }),
      ...(parent && { parent }),
      ...(lock && { lock: { ...lock } }),
      ...(archive && { archive }),
      ...(isListed(resource) && { columns: columnsOf(resource) }),
      ...(recordTitle.length > 0 && { title: recordTitle }),
      ...(form.length > 0 && { form: form.map(groupObject) }),
    },
  };
}

/** The tag of the operations that belong to no resource. */
export const sharedTagObject: JsonObject = {
  name: sharedTag,
  description: 'Several writes at once, the events of all resources, and the API key in use.',
};

/** The chapters, and the areas in the order of their paths, as groups of tags. */
export function tagGroups({ resources, areas }: Service): JsonObject[] {
  const groups = [...Map.groupBy(resources, areaOf)].map(([area, within]) => ({
    name: (Object.hasOwn(areas, area) ? areas[area] : undefined) ?? capitalize(area.replaceAll('-', ' ')),
    tags: eachOnItsLine(within.map(tagOf)),
  }));
  const guide = { name: guideName, tags: eachOnItsLine(guideTags.map(({ name }) => name)) };
  return [guide, ...groups, { name: sharedTag, tags: [sharedTag] }];
}
