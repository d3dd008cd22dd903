import type { CallToolResult } from '@modelcontextprotocol/server';
import type { FeatureCode } from '../../kernel/model/error-codes.ts';
import { largeBytes } from '../../kernel/api/limits.ts';
import type { ApiResponse } from './inner-request.ts';

type Content = Readonly<Record<string, unknown>>;

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** A result; as text, too, for clients that read nothing else. */
export const success = (content: Content): CallToolResult => ({
  structuredContent: { ...content },
  content: [{ type: 'text', text: JSON.stringify(content) }],
});

/** An error that an agent can act on. @param remedy a sentence that says what to do, behind the problem */
export const failure = (problem: Content, remedy?: string): CallToolResult => ({
  ...success(problem),
  content: [JSON.stringify(problem), remedy ?? []].flat().map((text) => ({ type: 'text', text })),
  isError: true,
});

/** A problem of the API, with its remedy. @param place names the argument of the tool that a pointer into the body is about */
export function problemResult(
  { text = '{}' }: Pick<ApiResponse, 'text'>,
  codes: readonly FeatureCode[],
  place = (pointer: string): string => pointer,
): CallToolResult {
  const problem = JSON.parse(text) as Content & { readonly errors?: readonly { readonly pointer?: string }[] };
  const errors = problem.errors?.map((error) => (error.pointer ? { ...error, pointer: place(error.pointer) } : error));
  const remedy = codes.find(({ code }) => code === problem['code'])?.remedy;
  return failure(errors ? { ...problem, errors } : problem, remedy);
}

const isTooLong = (text: string | undefined): boolean => text === undefined || Buffer.byteLength(text) > largeBytes;

/** An error if a record or a page has no room in a result. */
export const tooLong = (): CallToolResult =>
  failure({
    code: 'result_too_large',
    detail: `The result has more than ${largeBytes} bytes: name the fields that you need in "fields".`,
  });

const shown = ({ text = '{}', etag }: ApiResponse): CallToolResult =>
  success({ record: JSON.parse(text) as Content, ...(etag !== undefined && { etag }) });

/** A record that was read, with its ETag. */
export const recordResult = (response: ApiResponse): CallToolResult =>
  isTooLong(response.text) ? tooLong() : shown(response);

/** A record that was written, with its ETag: its id alone if it has no room. @param id of one that was there before */
export function writtenResult(response: ApiResponse, id?: string): CallToolResult {
  if (!isTooLong(response.text)) return shown(response);
  const made = response.location?.slice(response.location.lastIndexOf('/') + 1);
  const omitted = 'The write is done. The record is too large to be shown: get the fields that you need.';
  const record = { id: id ?? made ?? (JSON.parse(response.text ?? '{}') as Content)['id'] };
  return success({ record, ...(response.etag !== undefined && { etag: response.etag }), omitted });
}

/** The record as it is now; or that it is deleted, if the event had created it. */
export const undoResult = (response: ApiResponse): CallToolResult =>
  response.etag === undefined ? plainResult(response) : writtenResult(response);

/** The JSON of the API as it is. */
export const plainResult = ({ text = '{}' }: ApiResponse): CallToolResult => success(JSON.parse(text) as Content);

interface Page {
  readonly data: readonly Content[];
  readonly has_more: boolean;
  readonly total?: number;
}

/** An event; of one with long values, the names of the fields that it changed. */
function shortEvent(event: Content): Content {
  if (bytesOf(event) <= largeBytes / 4) return event;
  const { changes, ...rest } = event;
  const omitted = 'The values are too long to be shown.';
  return { ...rest, changed: Object.keys(changes as object), omitted };
}

/**
 * A page, cut behind the last record that has room; undefined if it has more than 1 MiB.
 *
 * @param cursor the name of the member that is the cursor of a record
 */
export function pageResult({ text }: ApiResponse, cursor: 'id' | 'number'): CallToolResult | undefined {
  if (text === undefined) return undefined;
  const page = JSON.parse(text) as Page;
  let size = 0;
  const all = cursor === 'number' ? page.data.map(shortEvent) : page.data;
  const data = all.filter((record) => (size += bytesOf(record) + 1) <= largeBytes);
  if (data.length === 0 && page.data.length > 0) return tooLong();
  const hasMore = page.has_more || data.length < page.data.length;
  return success({ ...page, data, has_more: hasMore, ...(hasMore && { after: data.at(-1)?.[cursor] }) });
}

/** The results of a batch; those that are too long are named by their ids alone. */
export function batchResult({ text }: ApiResponse): CallToolResult {
  const detail = `The results have more than ${largeBytes} bytes: all of them are done; list the records that you need.`;
  if (text === undefined) return success({ omitted: detail });
  const { results } = JSON.parse(text) as { readonly results: readonly (Content & { readonly body?: Content })[] };
  if (Buffer.byteLength(text) <= largeBytes) return success({ results });
  const short = results.map(({ body, ...result }) => ({
    ...result,
    ...(body?.['id'] !== undefined && { id: body['id'] }),
  }));
  return success({ results: short, omitted: detail });
}
