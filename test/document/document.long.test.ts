import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { type Answer, projectRoot, sharedServer, testProject } from '../support/server.ts';
import { longRounds, repeatable, seed } from '../support/seed.ts';
import { Document, type Operation } from './document.ts';
import { exceptions, type Refusal } from './exceptions.ts';
import { type GeneratedRequest, requestsOf, targetOf } from './requests.ts';

beforeEach(repeatable);

/** The kinds of operations, in an order in which there are records to find. */
const order = ['POST', 'PATCH', 'GET', 'DELETE'];

const rankOf = ({ method, path }: Operation): number => order.indexOf(method) + (path.includes('{id}/') ? 0.5 : 0);

describe.each([
  ['of this project', projectRoot],
  ["of the tests' own service", testProject],
])('the OpenAPI document %s', (_, project) => {
  const server = sharedServer({ project });
  const document = new Document(readFileSync(join(project, 'generated/openapi.json'), 'utf8'));
  const operations = document.operations.toSorted((a, b) => rankOf(a) - rankOf(b));
  /** The requests and answers about each record that is there, by its id. */
  const records = new Map<string, string>();
  const idsOf = (pattern: string): string[] => {
    const regExp = /^\^.*\{26\}\$$/.test(pattern) ? new RegExp(pattern, 'u') : undefined;
    return regExp ? [...records.keys()].filter((id) => regExp.test(id)).slice(-20) : [];
  };
  const met = new Map<string, number>();
  const count = (what: string): unknown => met.set(what, (met.get(what) ?? 0) + 1);

  const send = (operation: Operation, request: GeneratedRequest): Promise<Answer> => {
    const { mediaType, body, headers } = request;
    const type = mediaType === undefined ? {} : { 'content-type': mediaType };
    return server.request(operation.method, targetOf(operation, request), body, { ...type, ...headers });
  };

  /** Forgets a record, and those that may have gone with it: the ones that have named it. */
  const forget = (id: string): void => {
    if (!records.delete(id)) return;
    for (const [other, said] of records) if (said.includes(id)) forget(other);
  };

  /** Notes which records there are. */
  const note = ({ body: sent }: Pick<GeneratedRequest, 'body'>, { status, body, text }: Answer): void => {
    const { id, deleted } = (body ?? {}) as { id?: string; deleted?: boolean };
    if (status >= 300 || id === undefined) return;
    if (deleted) forget(id);
    else records.set(id, `${records.get(id) ?? ''}${JSON.stringify(sent)}${text}`);
  };

  test('whose examples are all answered as it says', async () => {
    for (const operation of operations) {
      if (operation.path.includes('{id}') || operation.example === undefined) continue;
      const [[mediaType] = []] = operation.bodies;
      const request = { id: undefined, query: {}, headers: {}, mediaType, body: operation.example };
      const answer = await send(operation, request);
      note(request, answer);
      expect(document.faultOf(operation, answer.status, answer.body, false), operation.id).toBeUndefined();
      // The ids in examples are of no record.
      const ofNone = ['parent_missing', 'reference_missing', 'not_found'];
      if (answer.status >= 300) expect(ofNone).toContain((answer.body as Refusal).code);
    }
  });

  test.each(operations.map((operation) => [operation.id, operation] as const))('%s', async (name, operation) => {
    const property = fc.asyncProperty(requestsOf(document, operation, idsOf), async (request) => {
      const known = new Set(records.keys());
      const answer = await send(operation, request);
      note(request, answer);
      const fault = document.faultOf(operation, answer.status, answer.body, 'fields' in request.query);
      expect(fault, name).toBeUndefined();
      if (answer.status < 400) {
        count(answer.status === 304 ? 'not modified' : 'done');
        return;
      }
      const refusal = answer.body as Refusal;
      const target = targetOf(operation, request);
      // A refusal names several errors, each for a reason of its own.
      for (const errors of refusal.errors?.map((error) => [error]) ?? [undefined]) {
        const one = { ...refusal, ...(errors && { errors }) };
        const found = Object.entries(exceptions).find(([, isMet]) =>
          isMet({ operation, request, target, refusal: one, known }),
        );
        expect(found?.[0], `${operation.method} ${target}: ${answer.text}`).toBeDefined();
        count(found?.[0] ?? '');
      }
    });
    await fc.assert(property, { seed, numRuns: longRounds(8, 100) });
  });

  test('with these numbers of answers', () => {
    console.log(Object.fromEntries(met));
    expect(met.get('done')).toBeGreaterThan(operations.length);
  });
});
