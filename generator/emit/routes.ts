import type { Operation } from '../language.ts';
import type { Resource, Transition } from '../model.ts';
import { capitalize, withArticle } from '../names.ts';
import { array, call, type Expression, object, print, string } from './expression.ts';
import { printWidth } from './width.ts';
import { docComment, importOf, printFile } from './file.ts';
import { identifiers, segmentOf } from './identifiers.ts';
import { type Statuses, statusesOf, transitionStatuses } from './statuses.ts';

/** One route as it is printed: a comment and a link of the chain. */
interface Route {
  readonly comment: string;
  readonly statuses: Statuses;
  readonly method: string;
  readonly path: string;
  /** The runtime's function that makes the handler, and what it takes beside the table. */
  readonly handler: string;
  readonly args: readonly Expression[];
}

/** One record, in a sentence. A title that is a plural already takes no article. */
const singular = ({ title, plural }: Resource): string => (title === plural ? title : withArticle(title));

function operationRoute(resource: Resource, operation: Operation): Route {
  const names = identifiers(resource);
  const { title, plural, kind } = resource;
  const statuses = statusesOf(resource, operation);
  const one = singular(resource);
  switch (operation) {
    case 'list': {
      const isItem = kind === 'line-item';
      const comment = isItem ? `List the ${plural} of a parent, by idx.` : `List ${plural}, newest first.`;
      return { comment, statuses, method: 'get', path: '/', handler: isItem ? 'listItems' : 'list', args: [] };
    }
    case 'create':
      return {
        comment: `Create ${one}.`,
        statuses,
        method: 'post',
        path: '/',
        handler: 'create',
        args: [names.create],
      };
    case 'retrieve':
      return kind === 'singleton'
        ? {
            comment: `Retrieve the ${title}.`,
            statuses,
            method: 'get',
            path: '/',
            handler: 'retrieveSingleton',
            args: [],
          }
        : { comment: `Retrieve ${one}.`, statuses, method: 'get', path: '/:id', handler: 'retrieve', args: [] };
    case 'update': {
      const comment = kind === 'singleton' ? `Update the ${title}.` : `Update ${one}.`;
      return { comment, statuses, method: 'patch', path: '/:id', handler: 'update', args: [names.update] };
    }
    case 'delete':
      return { comment: `Delete ${one}.`, statuses, method: 'delete', path: '/:id', handler: 'remove', args: [] };
    case 'reorder': {
      const comment = `Reorder the ${plural} of a parent.`;
      return { comment, statuses, method: 'post', path: '/reorder', handler: 'reorder', args: [] };
    }
  }
}

function transitionRoute(resource: Resource, { name, field, from, to }: Transition): Route {
  const states = object([
    ['field', string(field)],
    ['from', array(from.map(string))],
    ['to', string(to)],
  ]);
  const comment = `${capitalize(name.replaceAll('-', ' '))} ${singular(resource)}: ${field} from ${from.join(' or ')} to ${to}.`;
  return {
    comment,
    statuses: transitionStatuses,
    method: 'post',
    path: `/:id/${name}`,
    handler: 'transition',
    args: [states],
  };
}

function printRoute({ comment, statuses, method, path, handler, args }: Route, table: string, end: string): string {
  const text = `${comment} Answers ${[statuses.success, ...statuses.failures].join(', ')}.`;
  const link = call(`.${method}`, [
    string(path),
    call(handler, [table, ...args], { hugLast: handler === 'transition' }),
  ]);
  return `${lineComment(text)}\n${print(['  ', { type: 'align', n: 2, contents: [link, end] }])}`;
}

function lineComment(text: string): string {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && `${last} ${word}`.length <= printWidth) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(`  // ${word}`);
  }
  return lines.join('\n');
}

/** `<area>/<resource>.routes.ts`: one link of the chain an operation, with what it accepts, does and answers. */
export function emitRoutes(resource: Resource): string {
  const names = identifiers(resource);
  const routes = [
    ...resource.operations.map((operation) => operationRoute(resource, operation)),
    ...resource.transitions.map((transition) => transitionRoute(resource, transition)),
  ];
  const text = [
    docComment(`The routes of \`${resource.path}\`. All of them also answer 401, 500 and 503.`),
    `export const ${names.routes} = new Hono<Env>()`,
  ].join('\n');
  const links = routes.map((route, place) => printRoute(route, names.table, place === routes.length - 1 ? ';' : ''));
  const chain = [text, ...links].join('\n\n');
  const schemas = routes.flatMap(({ handler, args }) => (handler === 'transition' ? [] : args)) as string[];
  return printFile(
    `${resource.key}.routes.ts`,
    resource.source,
    [
      importOf('hono', ['Hono']),
      importOf('../../runtime/index.ts', new Set(['type Env', ...routes.map(({ handler }) => handler)])),
      importOf(`./${segmentOf(resource)}.schema.ts`, [names.table, ...schemas]),
    ],
    [[chain]],
  );
}
