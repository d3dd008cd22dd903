import { join } from 'node:path';
import { expect, test } from 'vitest';

import type { Service } from '../../runtime/index.ts';
import { citus, describeEngine, engines } from '../support/databases.ts';
import { expectProblem } from '../support/problem.ts';
import { generateProject } from '../support/project.ts';
import { create, retrieve, type Stored } from '../support/records.ts';
import { type Answer, sharedServer } from '../support/server.ts';

/** Records whose rules read totals over them, and totals of these. */
const attic = new Map([
  ['spec/service.yaml', '{ name: attic, title: Attic, doc: Keeps things., version: 1.0.0, license: MIT }'],
  [
    'spec/attic/owner.yaml',
    `kind: record
doc: An owner of things.
fields:
  name: { max_length: 20 }
  is_full: { type: boolean, default: false, nullable: false }
  count: { type: integer, computed: count(things) }
  weight: { type: integer, computed: sum(things.weight) }
  dearest: { type: integer, computed: max(things.price) }
  rooms: { type: integer, computed: count(room) }
rules:
  - { that: weight <= 1000, message: An owner carries 1000 at most. }
`,
  ],
  [
    'spec/attic/room.yaml',
    `kind: line-item
doc: A room of an owner.
parent: { field: owner_id, resource: attic/owner }
fields:
  owner_id: { required: true }
`,
  ],
  [
    'spec/attic/thing.yaml',
    `kind: record
doc: A thing that has parts.
fields:
  owner_id: { references: attic/owner, on_delete: set_null, inverse: things }
  keeper_id: { references: attic/owner, on_delete: set_null }
  in_id: { references: attic/thing, on_delete: set_null, inverse: contents }
  price: integer
  inside: { type: integer, computed: count(contents) }
  weight: { type: integer, computed: sum(part.weight) }
`,
  ],
  [
    'spec/attic/part.yaml',
    `kind: line-item
doc: A part of a thing.
parent: { field: thing_id, resource: attic/thing }
fields:
  thing_id: { required: true }
  weight: { type: integer, required: true }
`,
  ],
  [
    'spec/attic/toy.yaml',
    `kind: record
doc: A thing of which an owner has two at most.
fields:
  owner_id: { references: attic/shelf, on_delete: set_null, inverse: toys }
  keeper_id: { references: attic/owner, on_delete: set_null }
  name: { max_length: 20 }
rules:
  - { when: owner != null, that: owner.count < 2, message: A shelf has two toys at most. }
  - { when: name != null, that: name != "none", message: A toy has a name., field: name }
  - { when: keeper != null, that: keeper.is_full == false && keeper.rooms < 5, message: The keeper is full. }
`,
  ],
  [
    'spec/attic/shelf.yaml',
    `kind: record
doc: A shelf of toys.
fields:
  count: { type: integer, computed: count(toys) }
`,
  ],
  [
    'spec/attic/visit.yaml',
    `kind: record
doc: A visit to an owner, whose things are few and light.
fields:
  owner_id: { references: attic/owner, required: true }
  status: { enum: [planned, done], default: planned, nullable: false }
  guest: { max_length: 20 }
rules:
  - { that: owner.weight < 10, message: The owner carries too much., field: owner_id }
transitions:
  end: { from: planned, to: done, that: { that: owner.count > 1, message: There was nothing to see. } }
`,
  ],
]);

const project = await generateProject(attic);
const { service } = (await import(join(project, 'generated/app.ts'))) as { service: Service };
const [owners, things, parts, toys, shelves, visits] = ['owner', 'thing', 'part', 'toy', 'shelf', 'visit'].map(
  (name) => `/api/attic/${name}`,
) as [string, string, string, string, string, string];

type Operation = readonly [method: string, path: string, body?: object];

for (const engine of [...engines, citus]) {
  describeEngine(engine, 'rules that read totals of what they reference', () => {
    const server = sharedServer({ project, engine, tables: service.tables });
    const ask = (...[method, path, body]: Operation) => server.request(method, path, body);
    const batch = (...operations: Operation[]) =>
      ask('POST', '/api/batch', { operations: operations.map(([method, path, body]) => ({ method, path, body })) });
    const made = (path: string, body: object = {}): Operation => ['POST', path, body];

    test('a batch creates as many as single requests do', async () => {
      const owner_id = (await create(server, shelves, {})).id;
      const toy = made(toys, { owner_id });
      expect(expectProblem(await batch(toy, toy, toy), 422, 'rule_violated')).toMatchObject({ operation: 2 });
      expect(await batch(toy, toy)).toMatchObject({ status: 200 });
      expectProblem(await ask(...toy), 422, 'rule_violated');
      const fresh = made(toys, { owner_id: { result: 0 } });
      expect(expectProblem(await batch(made(shelves), fresh, fresh, fresh), 422, 'rule_violated')).toMatchObject({
        operation: 3,
      });
      // A delete makes room.
      const [first] = ((await ask('GET', toys)).body as { data: Stored[] }).data;
      expect(await batch(['DELETE', `${toys}/${first!.id}`], toy)).toMatchObject({ status: 200 });
      expect(await retrieve(server, shelves, owner_id)).toMatchObject({ count: 2 });
    });

    test('an update and a transition read what operations before them have added up, through totals of totals', async () => {
      const owner_id = (await create(server, owners, {})).id;
      const { id: thing_id } = await create(server, things, { owner_id, keeper_id: owner_id });
      const { id } = await create(server, visits, { owner_id });
      const heavy = made(parts, { thing_id, weight: 10 });
      const change: Operation = ['PATCH', `${visits}/${id}`, { guest: 'Eve' }];
      const end: Operation = ['POST', `${visits}/${id}/end`];
      for (const reading of [change, made(visits, { owner_id })])
        expect(expectProblem(await batch(heavy, reading), 422, 'rule_violated')).toMatchObject({ operation: 1 });
      expect(expectProblem(await batch(change, end), 422, 'rule_violated')).toMatchObject({ operation: 1 });
      expect(await batch(change, heavy)).toMatchObject({ status: 200 });
      const light: Operation = ['PATCH', `${things}/${thing_id}`, { owner_id: null }];
      const thing = made(things, { owner_id });
      expect(await batch(light, thing, thing, end)).toMatchObject({ status: 200 });
      expect(await retrieve(server, visits, id)).toMatchObject({ status: 'done', guest: 'Eve' });
      expect(await retrieve(server, owners, owner_id)).toMatchObject({ count: 2, weight: 0 });
    });

    test('rules over the totals themselves wait for the end of the batch, and name who broke them', async () => {
      const owner_id = (await create(server, owners, {})).id;
      const { id: thing_id } = await create(server, things, { owner_id });
      const { id } = await create(server, toys, { owner_id: null });
      const [heavy, lighter] = [made(parts, { thing_id, weight: 2000 }), made(parts, { thing_id, weight: -1995 })];
      const toy: Operation = ['PATCH', `${toys}/${id}`, { keeper_id: owner_id }];
      expect(expectProblem(await batch(heavy, toy), 422, 'rule_violated')).toMatchObject({ operation: 0 });
      const visit = made(visits, { owner_id });
      expect(expectProblem(await batch(heavy, visit), 422, 'rule_violated')).toMatchObject({
        operation: 1,
        detail: 'The owner carries too much.',
      });
      expect(await batch(heavy, lighter, visit)).toMatchObject({ status: 200 });
    });

    test('batches that add up and read the same record at once all end, and none passes the limit', async () => {
      const owner_id = (await create(server, shelves, {})).id;
      const owner = (await create(server, owners, {})).id;
      const toy = made(toys, { owner_id });
      const [thing, visit] = [made(things, { owner_id: owner }), made(visits, { owner_id: owner })];
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, n) => (n % 2 === 0 ? batch(toy, toy) : batch(thing, visit, thing, visit))),
      );
      expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array(7).fill(200), ...Array(5).fill(422)]);
      expect(await retrieve(server, shelves, owner_id)).toMatchObject({ count: 2 });
      expect(await retrieve(server, owners, owner)).toMatchObject({ count: 12 });
    });

    test('a reference that names nothing is refused ahead of a rule that reads another record', async () => {
      const { id: keeper_id } = await create(server, owners, { is_full: true });
      const body = { owner_id: 'shelf_0', keeper_id };
      const { errors } = expectProblem(await ask('POST', toys, body), 409, 'reference_missing');
      expect(errors).toMatchObject([{ pointer: '/owner_id' }]);
      const { id } = await create(server, toys, {});
      expectProblem(await ask('PATCH', `${toys}/${id}`, body), 409, 'reference_missing');
      expectProblem(await batch(made(toys), made(toys, body)), 409, 'reference_missing');
      expectProblem(await ask('POST', toys, { keeper_id }), 422, 'rule_violated');
      // A rule that reads none comes first.
      expectProblem(await ask('POST', toys, { ...body, name: 'none' }), 422, 'rule_violated');
    });

    test('the undo of a delete answers with the totals that are true then', async () => {
      const { id: owner_id } = await create(server, owners, { name: 'Ann' });
      await create(server, '/api/attic/room', { owner_id });
      const { id: in_id } = await create(server, things, { owner_id, price: 4 });
      await create(server, things, { in_id });
      expect(await retrieve(server, owners, owner_id)).toMatchObject({ dearest: 4, count: 1, rooms: 1 });
      // Line items are restored with the owner, and nothing with the thing.
      for (const [path, totals] of [
        [`${owners}/${owner_id}`, { name: 'Ann', dearest: null, count: 0, weight: 0, rooms: 1 }],
        [`${things}/${in_id}`, { price: 4, inside: 0, weight: 0 }],
      ] as const) {
        expect(await ask('DELETE', path)).toMatchObject({ status: 200 });
        const { body } = await ask('GET', `/api/events?record=${path.split('/').at(-1)}&operation=delete`);
        const [deleted] = (body as { data: readonly { readonly number: number }[] }).data;
        await expectAsStored(path, await ask('POST', `/api/events/${deleted!.number}/undo`), totals);
      }
    });

    test('a record that comes to name itself is answered with its total', async () => {
      const { id: in_id } = await create(server, things, {});
      const path = `${things}/${in_id}`;
      await expectAsStored(path, await ask('PATCH', path, { in_id }), { inside: 1 });
      await expectAsStored(path, await ask('PATCH', path, { in_id: null }), { inside: 0 });
    });

    /** Expects that an answer is the record as it is read then. */
    async function expectAsStored(path: string, answer: Answer, values: object): Promise<void> {
      const stored = await ask('GET', path);
      expect(stored.body).toMatchObject(values);
      const [shown, wanted] = [answer, stored].map(({ status, body, headers }) => [status, body, headers.get('etag')]);
      expect(shown).toEqual(wanted);
    }
  });
}
