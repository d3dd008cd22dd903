import type { Api, Page } from '../api.ts';

/** As many records as a page can have. */
const pageSize = 1_000;

/** Reads all records of a list, page after page. @param parameters which records, with which fields @throws as `Api` does */
export async function* allPages(
  api: Api,
  path: string,
  parameters: URLSearchParams,
  signal?: AbortSignal,
): AsyncIterable<Page> {
  const request = new URLSearchParams(parameters);
  request.set('limit', String(pageSize));
  for (;;) {
    const page = await api.get<Page>(`${path}?${request}`, signal);
    yield page;
    const last = page.data.at(-1);
    if (!page.has_more || !last) return;
    request.set('after', String(last['id']));
  }
}
