import { beforeEach, expect, test } from 'vitest';

import { lineItems, records, resources, singletons } from '../service/resources.ts';
import { describeEngine, engines } from '../support/databases.ts';
import { Random } from '../support/random.ts';
import type { Resource } from '../support/resources.ts';
import { fullBody, minimalBody, sample } from '../support/samples.ts';
import { repeatable, seed } from '../support/seed.ts';
import { type Answer, TestServer } from '../support/server.ts';
import { type Json, TestAgent } from './agent.ts';

const calls = 500;

/** A call of a tool, and the request to the API that it stands for. */
interface Call {
  readonly tool: string;
  readonly args: Json;
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  readonly ifMatch?: string;
}

beforeEach(repeatable);

for (const engine of engines) {
  describeEngine(engine, `${calls} random calls of tools`, () => {
    test('are the same as requests to the API', async () => {
      await using server = new TestServer({ database: () => engine.create([]) });
      await server.start();
      await using agent = await TestAgent.overHttp(server);
      const random = new Random(seed);
      const ids = new Map<Resource, string[]>();
      const outcomes = new Map<string, number>();

      const nameOf = ({ path }: Resource): string => path.slice('/api/'.length);
      const idOf = (resource: Resource): string => {
        const known = ids.get(resource) ?? [];
        return known.length > 0 && random.chance(0.9) ? random.of(known) : `${resource.name}_${random.below(9)}`;
      };
      const parentOf = (resource: Resource): string => {
        const parent = resource.kind === 'line-item' && resources.find(({ name }) => name === resource.parentResource);
        return parent ? idOf(parent) : 'elsewhere';
      };
      const bodyOf = (resource: Resource): object => {
        const make = random.chance(0.5)
          ? minimalBody
          : (one: Resource, id: string) => fullBody(one, id, random.below(4));
        return { ...make(resource, parentOf(resource)), ...(random.chance(0.1) && { wrong: random.below(9) }) };
      };
      const changeOf = (resource: Resource): object => {
        const [name] = random.of(resource.fields);
        return { [name]: random.chance(0.8) ? sample(resource, name, random.below(4)) : null };
      };
      const guard = (): { ifMatch?: string } => (random.chance(0.3) ? { ifMatch: `"${random.between(1, 3)}"` } : {});

      const choose: Readonly<Record<string, () => Call>> = {
        list() {
          const resource = random.of([...records, ...lineItems]);
          const limit = random.between(1, 60);
          const filter: Record<string, string> =
            resource.kind === 'line-item'
              ? { parent_id: parentOf(resource) }
              : random.chance(0.5)
                ? { 'id[gt]': 'a,b' }
                : {};
          const sort = random.chance(0.5) ? random.of(['-id', 'id', 'nope']) : undefined;
          const query = new URLSearchParams({ ...filter, ...(sort !== undefined && { sort }), limit: String(limit) });
          const args = { resource: nameOf(resource), filter, ...(sort !== undefined && { sort }), limit };
          return { tool: 'list', args, method: 'GET', path: `${resource.path}?${query}` };
        },
        get() {
          const resource = random.of([...records, ...singletons]);
          const id = resource.kind === 'singleton' ? undefined : idOf(resource);
          const args = { resource: nameOf(resource), ...(id !== undefined && { id }) };
          return {
            tool: 'get',
            args,
            method: 'GET',
            path: [resource.path, ...(id === undefined ? [] : [id])].join('/'),
          };
        },
        create() {
          const resource = random.of([...records, ...lineItems]);
          const body = bodyOf(resource);
          const args = { resource: nameOf(resource), values: body };
          return { tool: 'create', args, method: 'POST', path: resource.path, body };
        },
        update() {
          const resource = random.of(resources);
          const [id, body, condition] = [idOf(resource), changeOf(resource), guard()];
          const { ifMatch } = condition;
          const args = { resource: nameOf(resource), id, values: body, ...(ifMatch && { if_match: ifMatch }) };
          return { tool: 'update', args, method: 'PATCH', path: `${resource.path}/${id}`, body, ...condition };
        },
        delete() {
          const resource = random.of(
            [...records, ...lineItems].filter(({ operations }) => operations.includes('delete')),
          );
          const [id, condition] = [idOf(resource), guard()];
          const { ifMatch } = condition;
          const args = { resource: nameOf(resource), id, ...(ifMatch && { if_match: ifMatch }) };
          return { tool: 'delete', args, method: 'DELETE', path: `${resource.path}/${id}`, ...condition };
        },
        act() {
          const resource = random.of(records.filter(({ operations }) => operations.includes('submit')));
          const [id, verb] = [idOf(resource), 'submit'];
          const args = { resource: nameOf(resource), id, verb };
          return { tool: 'act', args, method: 'POST', path: `${resource.path}/${id}/${verb}` };
        },
        batch() {
          const parts = Array.from({ length: random.between(1, 4) }, () =>
            choose[random.of(['create', 'update', 'delete'])]!(),
          );
          const body = {
            operations: parts.map(({ method, path, body: part, ifMatch }) => ({
              method,
              path,
              ...(part && { body: part }),
              ...(ifMatch && { if_match: ifMatch }),
            })),
          };
          const operations = parts.map(({ tool, args }) => ({ tool, ...args }));
          return { tool: 'batch', args: { operations }, method: 'POST', path: '/api/batch', body };
        },
        history() {
          const resource = random.of(resources);
          const args = { resource: nameOf(resource), limit: random.between(1, 50) };
          const query = new URLSearchParams({ resource: args.resource, sort: '-number', limit: String(args.limit) });
          return { tool: 'history', args, method: 'GET', path: `/api/events?${query}` };
        },
        undo() {
          const event = random.between(1, 200);
          return { tool: 'undo', args: { event }, method: 'POST', path: `/api/events/${event}/undo` };
        },
      };
      const weights = { list: 3, get: 3, create: 6, update: 4, delete: 1, act: 1, batch: 2, history: 1, undo: 1 };

      const note = (resource: string, body: Json): void => {
        const created = resources.find((one) => nameOf(one) === resource);
        if (created && typeof body['id'] === 'string') ids.set(created, [...(ids.get(created) ?? []), body['id']]);
      };

      for (let number = 0; number < calls; number++) {
        const { tool, args, method, path, body, ifMatch } = choose[random.weighted(weights)]!();
        const key = `call-${number}`;
        const isWrite = method !== 'GET';
        const result = await agent.call(tool, isWrite ? { ...args, idempotency_key: key } : args);
        // A write that succeeds is repeated: its response is that of the first request, if both are the same.
        const answer = await server.request(method, path, body, {
          ...(isWrite && { 'idempotency-key': key }),
          ...(ifMatch && { 'if-match': ifMatch }),
        });
        const context = `call ${number}: ${tool} ${JSON.stringify(args).slice(0, 500)} -> ${answer.text.slice(0, 500)}`;
        // The library refuses what the schema of a tool does not allow.
        const isRefused = tool === 'list' && Number(args['limit']) > 50;
        const content = result.structuredContent as Json | undefined;
        if (!isRefused) {
          expect(result.isError ?? false, context).toBe(answer.status >= 400);
          expect(withoutId(content), context).toEqual(expectedOf(tool, answer));
          if (isWrite && answer.status < 300) expect(answer.headers.get('idempotency-replayed'), context).toBe('true');
        } else expect(result.isError, context).toBe(true);
        const kind = `${tool} ${isRefused ? 'refused' : answer.status}`;
        outcomes.set(kind, (outcomes.get(kind) ?? 0) + 1);
        if (answer.status === 201) note(args['resource'] as string, answer.body as Json);
        if (tool === 'get' && answer.status === 200) note(args['resource'] as string, answer.body as Json);
      }
      // Each tool has succeeded, and most have failed.
      for (const name of Object.keys(weights))
        expect([...outcomes.keys()]).toContain(`${name} ${name === 'create' ? 201 : 200}`);
      expect(outcomes.size).toBeGreaterThan(15);
    });
  });
}

/** Without the id of the request, which is another one. */
const withoutId = (content: Json | undefined): Json => {
  const { request_id: _, ...rest } = content ?? {};
  return rest;
};

/** A pointer into a body, as one into the arguments of a tool. */
const pointerIn = (tool: string, pointer: string): string =>
  tool === 'batch' ? pointer.replace(/^(\/operations\/\d+)\/body/, '$1/values') : `/values${pointer}`;

/** The structured content that a response is given as. */
function expectedOf(tool: string, { status, body, headers }: Answer): unknown {
  const content = body as Json & { readonly data?: readonly Json[]; readonly errors?: readonly { pointer?: string }[] };
  if (status >= 400) {
    const errors = content.errors?.map((error) =>
      error.pointer === undefined ? error : { ...error, pointer: pointerIn(tool, error.pointer) },
    );
    return withoutId({ ...content, ...(errors && { errors }) });
  }
  if (tool === 'batch') return { results: content['results'] };
  if (tool === 'list' || tool === 'history') {
    const last = content.data?.at(-1)?.[tool === 'list' ? 'id' : 'number'];
    return { ...content, ...(content['has_more'] === true && { after: last }) };
  }
  const etag = headers.get('etag');
  if (tool === 'delete' || (tool === 'undo' && etag === null)) return content;
  return { record: content, etag };
}
