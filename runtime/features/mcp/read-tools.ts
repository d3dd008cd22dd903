import type { CallToolResult, ToolAnnotations } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { basePath, operationsOf } from '../../kernel/model/operations.ts';
import type { Table } from '../../kernel/model/table.ts';
import { eventsPath } from '../trail/routes.ts';
import { pageResult, plainResult, problemResult, recordResult, success, tooLong } from './results.ts';
import { type Agent, id, inPath, type Make, missingId, noSuch, tableOf, type Tool, toolOf } from './tool.ts';

/** The most records of a list, and events of a history. */
const maxLimit = 50;

const reads: ToolAnnotations = { readOnlyHint: true, openWorldHint: false };

export const describe = (agent: Agent): Tool =>
  toolOf(
    'describe',
    'Describe',
    'Lists the resources of this service. With `resource`: its fields, filters, rules and verbs. Read it before you write.',
    reads,
    { resource: z.string().optional().describe('Its path.') },
    async ({ resource }) => {
      const tables = agent.tables.filter((table) => {
        return operationsOf(table).some(({ action }) => agent.may(action, table.path));
      });
      if (resource === undefined)
        return success({ resources: tables.map((table) => agent.descriptions.summaryOf(table)) });
      const paths = tables.map(({ path }) => path);
      const table = tables.find(({ path }) => path === resource);
      return table ? success({ ...describeFor(agent, table) }) : noSuch('resource', resource, paths);
    },
  );

/** The description of a resource, as far as an agent may use it. */
export const describeFor = ({ descriptions, may }: Agent, table: Table): object =>
  descriptions.of(table, ({ action }) => may(action, table.path));

const names = z.array(z.string()).min(1).optional();

const scalar = z.union([z.string(), z.number(), z.boolean()]);

type Query = readonly (readonly [name: string, value: unknown])[];

/** A path with those parameters that have a value. A list of several is sent as a repeated one, whose values are taken as they are. */
function withQuery(path: string, query: Query): string {
  const sent = query.flatMap(([name, value]) =>
    [value].flat().flatMap((one) => (one === undefined ? [] : [[name, String(one)]])),
  );
  return sent.length === 0 ? path : `${path}?${new URLSearchParams(sent).toString()}`;
}

/** The value of a filter. In a list of one, a comma would separate two. */
const filterValue = (name: string, value: unknown): unknown =>
  Array.isArray(value) && value.length === 1 && name.endsWith('[in]')
    ? String(value[0]).replaceAll(/[\\,]/g, '\\$&')
    : value;

/** The parameters of filters. */
const filterQuery = (filter: Readonly<Record<string, unknown>>): Query =>
  Object.entries(filter).map(([name, value]) => [name, filterValue(name, value)] as const);

export const list: Make = (agent, resource) =>
  toolOf(
    'list',
    'List records',
    'A page of records, the newest first. `has_more`: call again with `after`.',
    reads,
    {
      resource,
      filter: z
        .record(z.string(), z.union([scalar, z.array(scalar).min(1)]))
        .optional()
        .describe(
          'By field, or field[operator]: {"status": "Open", "total[gte]": 9, "id[in]": ["a", "b"], "city[null]": true}. Line items: parent_id.',
        ),
      q: z.string().optional().describe('Words to search for.'),
      sort: z.string().optional().describe('Fields, separated by commas; `-` before one that descends.'),
      after: z.string().optional(),
      fields: names,
      expand: names.describe('Line items and referenced records to include.'),
      limit: z.int().min(1).max(maxLimit).optional(),
    },
    async ({ resource: path, filter = {}, limit = 20, q, sort, after, fields, expand }) => {
      const shown = { q, sort, after, fields: fields?.join(), expand: expand?.join() };
      return pages(agent, `${basePath}/${path}`, [...filterQuery(filter), ...Object.entries(shown)], limit, 'id');
    },
  );

export const count: Make = (agent, resource) =>
  toolOf(
    'count',
    'Count',
    'Numbers of records, with sums, by what `describe` has as `counts`.',
    reads,
    {
      resource,
      by: z.string().optional(),
      sum: z.string().optional(),
      filter: z.record(z.string(), z.unknown()).optional(),
      q: z.string().optional(),
    },
    async ({ resource: path, filter = {}, ...query }) => {
      const asked = [...filterQuery(filter), ...Object.entries(query)];
      const response = await agent.send({ method: 'GET', path: withQuery(`${basePath}/${path}/count`, asked) });
      return response.status >= 400 ? problemResult(response, agent.codes) : plainResult(response);
    },
  );

/** Reads a page, or a shorter one if it is too long. */
async function pages(
  agent: Agent,
  path: string,
  query: Query,
  limit: number,
  cursor: 'id' | 'number',
): Promise<CallToolResult> {
  const response = await agent.send({ method: 'GET', path: withQuery(path, [...query, ['limit', limit]]) });
  if (response.status >= 400) return problemResult(response, agent.codes);
  const result = pageResult(response, cursor);
  if (result) return result;
  return limit > 1 ? pages(agent, path, query, Math.floor(limit / 2), cursor) : tooLong();
}

export const get: Make = (agent, resource) =>
  toolOf(
    'get',
    'Get a record',
    'One record, with its etag, which `fields` leave out. Settings need no id.',
    reads,
    { resource, id: id.optional(), fields: names, expand: names },
    async ({ resource: path, id: record, fields, expand }) => {
      const isOne = tableOf(agent, path).kind === 'singleton';
      if (!isOne && record === undefined) return missingId();
      const place = [basePath, path, ...(isOne || record === undefined ? [] : [inPath(record)])].join('/');
      const query = Object.entries({ fields: fields?.join(), expand: expand?.join() });
      const response = await agent.send({ method: 'GET', path: withQuery(place, query) });
      return response.status >= 400 ? problemResult(response, agent.codes) : recordResult(response);
    },
  );

export const history: Make = (agent, resource) =>
  toolOf(
    'history',
    'Show history',
    'Events, the newest first: who changed which fields of which record, from which values.',
    reads,
    {
      resource: resource.optional(),
      record: z.string().optional().describe('An id.'),
      operation: z.string().optional(),
      actor: z.string().optional(),
      after: z.int().optional(),
      limit: z.int().min(1).max(maxLimit).optional(),
    },
    ({ limit = 20, ...query }) =>
      pages(agent, eventsPath, [...Object.entries(query), ['sort', '-number']], limit, 'number'),
  );
