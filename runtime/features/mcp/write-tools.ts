import type { CallToolResult, ToolAnnotations } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { maxBatchOperations, maxHeaderBytes } from '../../kernel/model/limits.ts';
import { basePath, batchPath, operationsOf } from '../../kernel/model/operations.ts';
import type { Table } from '../../kernel/model/table.ts';
import { eventsPath } from '../trail/routes.ts';
import type { ApiResponse } from './inner-request.ts';
import { batchResult, failure, pageResult, plainResult, problemResult, undoResult, writtenResult } from './results.ts';
import { type Agent, id, inPath, isVerb, type Make, noSuch, toolOf } from './tool.ts';

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

export const create: Make = (agent, resource) =>
  toolOf(
    'create',
    'Create a record',
    'Creates a record, or a line item of the record that the parent field in `values` names.',
    { ...writes, destructiveHint: false },
    { resource, values, idempotency_key: once },
    ({ idempotency_key: key, ...args }) => send(agent, writeOf('create', args), key, writtenResult),
  );

export const update: Make = (agent, resource) =>
  toolOf(
    'update',
    'Update a record',
    'Changes the fields in `values`; null clears one. The others stay.',
    writes,
    { resource, id, values, if_match: etag, idempotency_key: once },
    ({ idempotency_key: key, ...args }) =>
      send(agent, writeOf('update', args), key, (response) => writtenResult(response, args.id)),
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
      const table = agent.tables.find(({ path }) => path === args.resource) as Table;
      const verbs = operationsOf(table).filter((one) => isVerb(one) && agent.may(one.action, table.path));
      const operation = verbs.find(({ name }) => name === args.verb);
      if (!operation) {
        const names = verbs.map(({ name }) => name);
        return noSuch('verb', args.verb, names);
      }
      if (operation.path.startsWith('/:id') !== (args.id !== undefined)) {
        const detail = args.id === undefined ? `"id" is missing: it names the record.` : `${args.verb} takes no "id".`;
        return failure({ code: 'invalid_arguments', detail });
      }
      return send(agent, writeOf('act', args), key, (response) => {
        if (operation.response === 'record') return writtenResult(response, args.id);
        return pageResult(response, 'id') ?? plainResult({ ...response, text: '{"done":true}' });
      });
    },
  );

const operations = (resource: z.ZodEnum) =>
  z
    .array(
      z
        .strictObject({
          tool: z.enum(Object.keys(methods) as WriteTool[]),
          resource,
          id: id.optional(),
          values: values.optional(),
          verb: z.string().optional(),
          input: values.optional(),
          if_match: tag,
        })
        .refine(({ tool, id: record }) => record !== undefined || (tool !== 'update' && tool !== 'delete'), {
          path: ['id'],
          message: 'is missing: it names the record',
        }),
    )
    .min(1)
    .max(maxBatchOperations);

export const batch: Make = (agent, resource) =>
  toolOf(
    'batch',
    'Do several writes',
    'Does up to 100 writes in order, all or none. The id that an earlier create gives: "{result:0}" as `id`, {"result": 0} as a value.',
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
