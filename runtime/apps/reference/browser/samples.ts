import { exampleOf, type OpenApi, type Operation, resolve } from './document.ts';

/** A request, as Swagger UI has it. */
export interface Call {
  readonly method: string;
  readonly url: string;
  readonly headers: { readonly 'Content-Type'?: string };
  readonly body?: string;
}

/**
 * A request that an operation takes: what it requires, with the examples of the document.
 *
 * @param base the URL of the service, without a slash at its end
 */
export function exampleCall(document: OpenApi, base: string, method: string, pattern: string): Call {
  const operation = document.paths[pattern]?.[method] as Operation;
  const query = new URLSearchParams();
  let path = pattern;
  for (const written of operation.parameters ?? []) {
    const parameter = resolve(document, written);
    if (parameter.required !== true) continue;
    const value = String(exampleOf(document, parameter) ?? parameter.name);
    if (parameter.in === 'query') query.set(parameter.name, value);
    else path = path.replace(`{${parameter.name}}`, encodeURIComponent(value));
  }
  const url = `${base}${path}${query.size > 0 ? `?${query}` : ''}`;
  const [media] = Object.entries(operation.requestBody?.content ?? {});
  if (!media) return { method, url, headers: {} };
  const [mediaType, content] = media;
  const body = JSON.stringify(exampleOf(document, content) ?? {}, null, 2);
  return { method, url, headers: { 'Content-Type': mediaType }, body };
}

/** A word of a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** A command that sends a request with the key in $KEY. */
export function curlOf({ method, url, headers, body }: Call): string {
  const isUsual = method === 'get' || (method === 'post' && body !== undefined);
  const type = headers['Content-Type'] ?? 'application/json';
  const lines = [
    `curl ${isUsual ? '' : `-X ${method.toUpperCase()} `}${quoted(url)}`,
    '-H "Authorization: Bearer $KEY"',
    ...(body === undefined ? [] : [`-H ${quoted(`Content-Type: ${type}`)}`, `-d ${quoted(body)}`]),
  ];
  return lines.join(' \\\n  ');
}
