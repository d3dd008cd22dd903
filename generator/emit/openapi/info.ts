import {
  defaultListLimit,
  maxBatchOperations,
  maxBodyBytes,
  maxEntries,
  maxJsonDepth,
  maxListLimit,
  maxSortKeys,
  maxTextLength,
} from '../../../runtime/model/limits.ts';
import { basePath } from '../../../runtime/model/operations.ts';
import { columnsOf } from '../../model/columns.ts';
import { areaOf, type Resource, type Service } from '../../model/model.ts';
import { capitalize, sharedTag } from '../../model/names.ts';
import { isListed } from '../../model/operations.ts';
import { eachOnItsLine } from '../json.ts';
import type { JsonObject } from './reference.ts';

/** The sections of the description, which are the same for every service. */
const sections: Readonly<Record<string, readonly string[]>> = {
  Authentication: [
    `Every request under \`${basePath}\` needs an API key: \`Authorization: Bearer <API key>\`. Without a valid one the response is ` +
      '401. A key sees the records of its organization alone. It may be limited to scopes: `*` is everything, `<area>` and ' +
      '`<area>/<resource>` are a part of it, each also with `:read`, `:write` or `:transition` behind it. What they do not ' +
      `allow fails with 403. \`GET ${basePath}/key\` tells what the key in use may do.`,
  ],
  Records: [
    'A response has all fields of a record; a field without a value is null. A create responds 201 with the path of the new ' +
      'record in `Location`. An update changes the fields that are sent; null clears an optional one. `id`, `created_at` and ' +
      '`updated_at` are set by the service. New fields may be added to responses at any time: ignore those you do not know. ' +
      'Requests may only have the fields and parameters that are described here.',
    'A response with one record, all of it and no more, has an `ETag`, which each change of the record changes. An update, a ' +
      'delete or a transition with that in `If-Match` is only done if the record is still the same; otherwise it fails with ' +
      '412. A read with `If-None-Match` responds 304 if the record is still the same.',
  ],
  Errors: [
    'Every error is a problem (RFC 9457, `application/problem+json`) with a stable `code`, a `detail` for people, and a ' +
      '`request_id`, which is also in the header `X-Request-Id` of every response. For an invalid body (422), `errors` names ' +
      `every wrong field by its JSON pointer, at most ${maxEntries} of them. After 429 and 503, try again after the ` +
      'seconds of `Retry-After`.',
  ],
  Lists: [
    'A list responds with a page of records: `data`, `has_more`, and `total`, the exact number on all pages. `limit` is the size of ' +
      `a page, 1 to ${maxListLimit}, by default ${defaultListLimit}. The next page begins \`after\` the id of the last record; ` +
      '`offset` skips a number of them.',
    'Filters are named by fields: `status=Open` finds equal values, `status[ne]` other ones, `status[in]=Open,Closed` one of ' +
      'several, `status[null]=true` none, `status[prefix]` the beginning of a string, and `[gt]`, `[gte]`, `[lt]` and `[lte]` ' +
      `a range. All filters of a request must hold. \`sort\` names up to ${maxSortKeys} fields, with \`-\` in front for the ` +
      'descending order. A list of values may also be a repeated parameter. Null is in no range and sorted last. If a list ' +
      'has `q`, it finds the records with words that begin like those of `q`.',
    '`fields` names the fields of the response, and the others are left out, though the schemas require them. `expand` adds ' +
      `the first ${maxEntries} line items to each record.`,
  ],
  Batches: [
    `\`POST ${basePath}/batch\` does up to ${maxBatchOperations} writes in one commit, all or none, and later ones can refer to ` +
      'the ids of records that earlier ones create.',
  ],
  'Values and limits': [
    'Bodies are JSON in UTF-8. Strings are Unicode without U+0000 and lone surrogates; lengths count code points, and the ' +
      `longest string has ${maxTextLength} if its schema says nothing else. Integers are those that a double holds exactly, ` +
      'other numbers are doubles, and both come back as they were sent. A `date-time` comes back in UTC with milliseconds. Keys of an object are unique, and no value is ' +
      `converted to another type. A body has at most ${maxBodyBytes / 1024 ** 2} MiB if its resource says nothing else, and ` +
      `${maxJsonDepth} levels. A key may have a limit of requests; then every response has the headers \`RateLimit\` and ` +
      '`RateLimit-Policy`.',
  ],
};

/** The description of a service, in Markdown. */
const description = ({ doc }: Service): string =>
  [doc, ...Object.entries(sections).map(([title, texts]) => [`## ${title}`, ...texts].join('\n\n'))].join('\n\n');

/** The info object of a service. */
export const infoObject = (service: Service): JsonObject => ({
  title: service.title,
  version: service.version,
  description: description(service),
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
