import {
  defaultListLimit,
  maxBatchOperations,
  maxBodyBytes,
  maxEntries,
  maxJsonDepth,
  maxListLimit,
  maxNamed,
  maxSortKeys,
  maxTextLength,
} from '../../../runtime/kernel/model/limits.ts';
import { basePath } from '../../../runtime/kernel/model/operations.ts';
import { guideTagOf, type GuideTopic, guideTopics } from '../../model/names.ts';
import type { JsonObject } from './reference.ts';

/** The group of the chapters. */
export const guideName = 'Guide';

/** The chapters about what operations have in common, which are the same for every service. */
const chapters: Readonly<Record<GuideTopic, string>> = {
  authentication:
    `Every request under \`${basePath}\` needs an API key: \`Authorization: Bearer <API key>\`. Without a valid one the response ` +
    'is 401. A key sees the records of its organization alone. It may have a limit of requests; then every response has the ' +
    'headers `RateLimit` and `RateLimit-Policy`.',
  scopes:
    'A key may be limited to scopes: `*` is everything, `<area>` and `<area>/<resource>` are a part of it, each also with ' +
    '`:read`, `:write` or `:transition` behind it. What they do not allow fails with 403. ' +
    `\`GET ${basePath}/key\` tells what the key in use may do.`,
  records:
    'A response has all fields of a record; a field without a value is null. A create responds 201 with the path of the new ' +
    'record in `Location`. An update changes the fields that are sent; null clears an optional one. `id`, `created_at` and ' +
    '`updated_at` are set by the service.',
  versions:
    'A response with one whole record has an `ETag`, which each change of the record changes. An update, a delete or a ' +
    'transition with it in `If-Match` is only done if the record is still the same; otherwise it fails with 412. A read with ' +
    '`If-None-Match` responds 304 if the record is still the same.',
  'new fields':
    'New fields may be added to responses at any time: ignore those you do not know. Requests may only have the fields and ' +
    'parameters that are described here.',
  errors:
    'Every error is a problem (RFC 9457, `application/problem+json`) with a stable `code`, a `detail` for people, and a ' +
    '`request_id`, which is also in the header `X-Request-Id` of every response. For an invalid body (422), `errors` names ' +
    `every wrong field by its JSON pointer, at most ${maxEntries} of them. After 429 and 503, try again after the seconds of \`Retry-After\`.`,
  batches:
    `\`POST ${basePath}/batch\` does up to ${maxBatchOperations} creates, updates, deletes, transitions and reorders in one commit, ` +
    'all or none. If one fails, the response is its problem, with its place as `operation`. The id of a record that an earlier ' +
    'operation creates is written `{"result": 0}` in place of a string in a body, and `{result:0}` as a segment of a path.',
  events:
    'Events tell what was done to records, in the order in which it became visible. A key needs the scope `events:read`, and gets ' +
    'those of the resources that it may read. With `Accept: text/event-stream`, the response goes on with new events as they come.',
  lists:
    'A list responds with a page of records: `data`, `has_more`, and `total`, the exact number on all pages. `limit` is the size ' +
    `of a page, 1 to ${maxListLimit}, by default ${defaultListLimit}. \`sort\` names up to ${maxSortKeys} fields, with \`-\` in ` +
    'front for the descending order. Null is sorted last.',
  pages:
    'The next page begins `after` the id of the last record, and skips and repeats none; `offset` skips a number of them, and is ' +
    '0 with `after`. Unless the order is that of `id` or `created_at`, the record must still exist, and an item still belong to ' +
    'its parent.',
  filters:
    '`status=Open` finds equal values, `status[ne]` other ones, `status[in]=Open,Closed` one of several, `status[null]=true` none, ' +
    '`status[prefix]` the beginning of a string, `tags[has]` lists with a value, and `[gt]`, `[gte]`, `[lt]` and `[lte]` a range, which null is never in. All ' +
    'must hold. A list of values may also be a repeated parameter.',
  search:
    `If a list has \`q\`, it finds the records with words that begin like the 1 to ${maxNamed} words of \`q\`, in any of the fields ` +
    'that it names. Words are made of letters and digits; case and accents do not matter.',
  'parts of records':
    '`fields` names the fields of the response, and the others are left out, though the schemas require them. `expand` adds ' +
    `the first ${maxEntries} line items to each record, and the records that its references name.`,
  values:
    'Bodies are JSON in UTF-8. Strings are Unicode without U+0000 and lone surrogates. Integers are those that a double holds ' +
    'exactly, other numbers are doubles, and both come back as they were sent. A `date-time` comes back in UTC with ' +
    'milliseconds. Keys of an object are unique, and no value is converted to another type.',
  limits:
    `Lengths count code points, and the longest string has ${maxTextLength} if its schema says nothing else. A body has at ` +
    `most ${maxBodyBytes / 1024 ** 2} MiB if its resource says nothing else, and ${maxJsonDepth} levels.`,
};

/** The chapters as tags that no operation has. */
export const guideTags: readonly (JsonObject & { readonly name: string })[] = guideTopics.map((topic) => ({
  name: guideTagOf(topic),
  description: chapters[topic],
}));
