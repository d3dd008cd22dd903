import { exampleOf, type OpenApi, type Operation, resolve } from './document.ts';

/** A request, as samples show it. */
export interface Call {
  readonly method: string;
  /** The path of the service, without the prefix of a proxy. */
  readonly path: string;
  /** The one of the document that it matches. */
  readonly pattern: string;
  readonly query: Readonly<Record<string, string>>;
  readonly mediaType?: string;
  readonly body?: unknown;
}

/** A request that an operation takes: what it requires, with the examples of the document. */
export function exampleCall(document: OpenApi, method: string, pattern: string): Call {
  const operation = document.paths[pattern]?.[method] as Operation;
  const query: Record<string, string> = {};
  let path = pattern;
  for (const one of operation.parameters ?? []) {
    const parameter = resolve(document, one);
    if (parameter.required !== true) continue;
    const value = String(exampleOf(document, parameter) ?? parameter.name);
    if (parameter.in === 'query') query[parameter.name] = value;
    else path = path.replace(`{${parameter.name}}`, encodeURIComponent(value));
  }
  const [media] = Object.entries(operation.requestBody?.content ?? {});
  if (!media) return { method, path, pattern, query };
  const [mediaType, content] = media;
  return { method, path, pattern, query, mediaType, body: exampleOf(document, content) ?? {} };
}

/** Whether a path is one of a pattern. */
const matches = (path: string, pattern: string): boolean => {
  const [segments, names] = [path.split('/'), pattern.split('/')];
  return segments.length === names.length && names.every((name, at) => name.startsWith('{') || name === segments[at]);
};

/** The request that Swagger UI has sent. @param base the URL of the service, without a slash at its end */
export function sentCall(document: OpenApi, base: string, method: string, url: string, body: unknown): Call {
  const { pathname, searchParams } = new URL(url);
  const path = pathname.slice(new URL(base).pathname.replace(/\/$/, '').length);
  const patterns = Object.keys(document.paths).filter((one) => matches(path, one));
  // A name goes before a parameter.
  const pattern = patterns.find((one) => !one.includes('{')) ?? patterns[0] ?? path;
  const call = { method, path, pattern, query: Object.fromEntries(searchParams) };
  if (typeof body !== 'string') return call;
  const [mediaType = 'application/json'] = Object.keys(document.paths[pattern]?.[method]?.requestBody?.content ?? {});
  try {
    return { ...call, mediaType, body: JSON.parse(body) };
  } catch {
    return { ...call, mediaType, body };
  }
}
