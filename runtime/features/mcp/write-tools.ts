import type { CallToolResult, ToolAnnotations } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { maxBatchOperations, maxHeaderBytes } from '../../kernel/model/limits.ts';
import { basePath, batchPath, operationsOf } from '../../kernel/model/operations.ts';
import { eventsPath } from '../trail/routes.ts';
import type { ApiResponse } from './inner-request.ts';
import { batchResult, pageResult, plainResult, problemResult, success, undoResult, writtenResult } from './results.ts';
import { isVerb } from './description.ts';
import { type Agent, id, inPath, type Make, missingId, noSuch, tableOf, toolOf, wrongArguments } from './tool.ts';

const writes: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: false,
};

const values = z.record(z.string(), z.unknown());
// As long as a header can be: a longer one would take seconds to be parsed.
const tag = z.string().max(maxHeaderBytes).optional();
const etag = tag.describe('The etag of the version to change: fails if there is a newer one.');
const once = z.string().max(255).optional().describe('A repeated call with it is done once.');

/** A write of a tool, or of an operation of a batch. */
interface Write {
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  readonly if_match?: string | undefined;
}

/** Sends a write. @param place see `problemResult` */
async function send(
  agent: Agent,
  { if_match: ifMatch, ...request }: Write,
  key: string | undefined,
  show: (response: ApiResponse) => CallToolResult,
  place?: (pointer: string) => string,
): Promise<CallToolResult> {
  const headers = {
    ...(ifMatch !== undefined && { 'if-match': ifMatch }),
    ...(key !== undefined && { 'idempotency-key': key }),
  };
  const response = await agent.send({ ...request, headers });
  return response.status >= 400 ? problemResult(response, agent.codes, place) : show(response);
}

/** The arguments of the tools that write one record. */
interface WriteArguments {
  readonly resource: string;
  readonly id?: string | undefined;
  readonly values?: object | undefined;
  readonly verb?: string | undefined;
  readonly input?: object | undefined;
  readonly if_match?: string | undefined;
}

/** The methods of the tools that write one record. */
const methods = { create: 'POST', update: 'PATCH', delete: 'DELETE', act: 'POST' } as const;

type WriteTool = keyof typeof methods;

/** The write of a tool. The quotes of an etag may have been forgotten. */
function writeOf(
  tool: WriteTool,
  { resource, id: record, verb, values: fields, input, if_match: condition }: WriteArguments,
): Write {
  const names = [record, verb].flatMap((name) => (name === undefined ? [] : inPath(name)));
  return {
    method: methods[tool],
    path: [basePath, resource, ...names].join('/'),
    body: tool === 'act' ? input : fields,
    if_match: condition !== undefined && /^\d+$/.test(condition) ? `"${condition}"` : condition,
  };
}

/** Changes pointers into a body to those of the argument that it is. */
const inArgument =
  (name: string) =>
  (pointer: string): string =>
    `/${name}${pointer}`;

/** The id of a record of settings, which agents need not know; undefined for other resources. */
async function idOfSettings(agent: Agent, resource: string): Promise<string | undefined> {
  if (tableOf(agent, resource).kind !== 'singleton') return undefined;
  const { text = '{}' } = await agent.send({ method: 'GET', path: `${basePath}/${resource}?fields=id` });
  return (JSON.parse(text) as { id?: string }).id;
}

export const create: Make = (agent, resource) =>
  toolOf(
    'create',
    'Create a record',
    'Creates a record, or a line item of the record that the parent field in `values` names.',
    { ...writes, destructiveHint: false },
    { resource, values, idempotency_key: once },
    ({ idempotency_key: key, ...args }) =>
      send(agent, writeOf('create', args), key, writtenResult, inArgument('values')),
  );

export const update: Make = (agent, resource) =>
  toolOf(
    'update',
    'Update a record',
    'Changes the fields in `values`; null clears one. The others stay. Settings need no id.',
    writes,
    { resource, id: id.optional(), values, if_match: etag, idempotency_key: once },
    async ({ idempotency_key: key, ...args }) => {
      const record = args.id ?? (await idOfSettings(agent, args.resource));
      if (record === undefined) return missingId();
      const write = writeOf('update', { ...args, id: record });
      return send(agent, write, key, (response) => writtenResult(response, record), inArgument('values'));
    },
  );

export const remove: Make = (agent, resource) =>
  toolOf(
    'delete',
    'Delete a record',
    'Deletes a record with its line items.',
    { ...writes, idempotentHint: true },
    { resource, id, if_match: etag, idempotency_key: once },
    ({ idempotency_key: key, ...args }) => send(agent, writeOf('delete', args), key, plainResult),
  );

export const act: Make = (agent, resource) =>
  toolOf(
    'act',
    'Do a verb',
    'Does a verb of a record, such as submit or cancel, that `describe` lists. `reorder` of line items takes no id.',
    writes,
    { resource, id: id.optional(), verb: z.string(), input: values.optional(), if_match: etag, idempotency_key: once },
    async ({ idempotency_key: key, ...args }) => {
      const table = tableOf(agent, args.resource);
      const verbs = operationsOf(table).filter((one) => isVerb(one) && agent.may(one.action, table.path));
      const operation = verbs.find(({ name }) => name === args.verb);
      if (!operation) {
        const names = verbs.map(({ name }) => name);
        return noSuch('verb', args.verb, names);
      }
      const isOfRecord = operation.path.startsWith('/:id');
      if (isOfRecord && args.id === undefined) return missingId();
      if (!isOfRecord && args.id !== undefined) return wrongArguments(`${args.verb} takes no "id".`);
      if (!operation.body && args.input) return wrongArguments(`${args.verb} takes no "input".`);
      const write = writeOf('act', { ...args, ...(operation.body && { input: args.input ?? {} }) });
      const show = (response: ApiResponse): CallToolResult => {
        if (operation.response === 'record') return writtenResult(response, args.id);
        // The reorder is done: that its list has no room is no error.
        const page = pageResult(response, 'id');
        return page && !page.isError ? page : success({ done: true });
      };
      return send(agent, write, key, show, inArgument('input'));
    },
  );

/** The arguments that the tools of a batch need, and those that they have not. */
const argumentsOf: Readonly<Record<WriteTool, Readonly<Record<string, 'always' | 'never'>>>> = {
  create: { values: 'always', id: 'never', verb: 'never', input: 'never', if_match: 'never' },
  update: { values: 'always', id: 'always', verb: 'never', input: 'never' },
  delete: { values: 'never', id: 'always', verb: 'never', input: 'never' },
  act: { values: 'never', verb: 'always' },
};

/** The id of the record that an earlier operation of a batch creates. */
const result = z.strictObject({ result: z.int().min(0) });

const operations = (resource: z.ZodEnum) =>
  z
    .array(
      z
        .strictObject({
          tool: z.enum(Object.keys(methods) as WriteTool[]),
          resource,
          id: z.union([id, result.transform(({ result: number }) => `{result:${number}}`)]).optional(),
          values: values.optional(),
          verb: z.string().optional(),
          input: values.optional(),
          if_match: tag,
        })
        .superRefine((operation, { addIssue }) => {
          for (const [name, rule] of Object.entries(argumentsOf[operation.tool])) {
            const isThere = operation[name as keyof typeof operation] !== undefined;
            if (isThere === (rule === 'never'))
              addIssue({
                code: 'custom',
                path: [name],
                message: isThere ? `is no argument of ${operation.tool}` : 'is missing',
              });
          }
        }),
    )
    .min(1)
    .max(maxBatchOperations);

export const batch: Make = (agent, resource) =>
  toolOf(
    'batch',
    'Do several writes',
    'Does up to 100 writes in order, all or none. {"result": 0} is the id that the first one creates, as `id` or as a value.',
    writes,
    { operations: operations(resource), idempotency_key: once },
    async ({ operations: all, idempotency_key: key }) => {
      const calls = all as readonly (WriteArguments & { readonly tool: WriteTool })[];
      const body = { operations: calls.map(({ tool, ...args }) => writeOf(tool, args)) };
      const place = (pointer: string): string =>
        pointer.replace(/^\/operations\/(\d+)\/(body|path)/, (_, at: string, part: string) => {
          const argument = part === 'path' ? 'id' : calls[Number(at)]?.tool === 'act' ? 'input' : 'values';
          return `/operations/${at}/${argument}`;
        });
      return send(agent, { method: 'POST', path: batchPath, body }, key, batchResult, place);
    },
  );

export const undo: Make = (agent) =>
  toolOf(
    'undo',
    'Undo an event',
    'Reverses what an event did, by its number in `history`, if its record has not changed since.',
    writes,
    { event: z.int().min(1), idempotency_key: once },
    ({ event, idempotency_key: key }) =>
      send(agent, { method: 'POST', path: `${eventsPath}/${event}/undo` }, key, undoResult),
  );
