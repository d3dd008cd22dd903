import type { Call } from './call.ts';
import type { OpenApi } from './document.ts';

const queryOf = ({ query }: Call): string => {
  const text = new URLSearchParams(query).toString();
  return text === '' ? '' : `?${text}`;
};

/** A word of a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

const textOf = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body, null, 2));

/** A command that sends a request with the key in $KEY. */
export function curlOf(call: Call, base: string): string {
  const { method, path, body, mediaType } = call;
  const isUsual = method === 'get' || (method === 'post' && body !== undefined);
  const lines = [
    `curl ${isUsual ? '' : `-X ${method.toUpperCase()} `}${quoted(base + path + queryOf(call))}`,
    '-H "Authorization: Bearer $KEY"',
    ...(body === undefined ? [] : [`-H ${quoted(`Content-Type: ${mediaType}`)}`, `-d ${quoted(textOf(body))}`]),
  ];
  return lines.join(' \\\n  ');
}

const camelCase = (name: string): string =>
  name.replaceAll(/[-_]([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** A value as code: keys without quotes where they need none. */
const literal = (value: unknown): string =>
  JSON.stringify(value, null, 2).replaceAll(/^( *)"([A-Za-z_$][\w$]*)":/gm, '$1$2:');

/** The call of the client for a request; undefined where it has none. */
function clientCall(document: OpenApi, call: Call): string | undefined {
  const { method, pattern, path, query, body } = call;
  const tag = document.tags.find((one) => {
    const resource = one['x-resource'];
    return resource && (pattern === resource.path || pattern.startsWith(`${resource.path}/`));
  });
  const resource = tag?.['x-resource'];
  if (!resource) return undefined;
  const [area = ''] = resource.path.split('/').slice(-2);
  const [id, action] = path.slice(resource.path.length + 1).split('/');
  const one = id ? [literal(decodeURIComponent(id))] : [];
  const { parent_id: parent, ...others } = query;
  const options = Object.keys(others).length > 0 ? [literal(others)] : [];
  const calls: Readonly<Record<string, () => readonly [name: string, args: readonly string[]]>> = {
    get: () =>
      id || resource.kind === 'singleton'
        ? ['retrieve', [...one, ...options]]
        : ['list', [...(parent === undefined ? [] : [literal(parent)]), ...options]],
    post: () => {
      if (id === 'reorder') return ['reorder', [literal((body as { items?: unknown } | null)?.items ?? [])]];
      return action === undefined ? ['create', [literal(body)]] : [camelCase(action), one];
    },
    patch: () => ['update', [...one, literal(body)]],
    delete: () => ['delete', one],
  };
  const [name, args] = calls[method]?.() ?? ['', []];
  return `api.${camelCase(area)}.${camelCase(resource.name)}.${name}(${args.join(', ')})`;
}

/** TypeScript that sends a request: by the generated client, or where that has no operation for it, by fetch. */
export function typescriptOf(document: OpenApi, call: Call, base: string): string {
  const code = clientCall(document, call);
  if (code) {
    return `import { createClient } from './generated/client.ts';

const api = createClient({ url: '${base}', key: process.env.KEY! });
const answer = await ${code};
`;
  }
  const { method, path, body, mediaType } = call;
  const headers = [
    'Authorization: `Bearer ${process.env.KEY}`',
    ...(body === undefined ? [] : [`'Content-Type': '${mediaType}'`]),
  ];
  const lines = [
    ...(method === 'get' ? [] : [`  method: '${method.toUpperCase()}',`]),
    `  headers: { ${headers.join(', ')} },`,
    ...(body === undefined ? [] : [`  body: JSON.stringify(${literal(body).replaceAll('\n', '\n  ')}),`]),
  ];
  return `const response = await fetch('${base}${path}${queryOf(call)}', {
${lines.join('\n')}
});
const answer = await response.json();
`;
}
