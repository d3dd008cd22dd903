import { join } from 'node:path';
import { expect, test } from 'vitest';

import type { Service } from '../../runtime/index.ts';
import { citus, describeEngine, engines } from '../support/databases.ts';
import { generateProject } from '../support/project.ts';
import { create } from '../support/records.ts';
import { actorOf, sharedServer, testKey } from '../support/server.ts';

const project = await generateProject(
  new Map([
    ['spec/service.yaml', '{ name: lists, title: Lists, doc: Lists of tasks., version: 1.0.0, license: MIT }'],
    ['spec/work/list.yaml', 'kind: record\ndoc: A list of tasks.\nfields: { name: { max_length: 100 } }\n'],
    [
      'spec/work/person.yaml',
      'kind: record\ndoc: Who does a task.\nfields: { is_away: { type: boolean, default: false, nullable: false } }\n',
    ],
    [
      'spec/work/task.yaml',
      `kind: line-item
doc: A task of a person who is there.
parent: { field: list_id, resource: work/list }
fields:
  list_id: { required: true }
  person_id: { references: work/person, required: true }
  editor: { always: actor }
rules:
  - { that: person.is_away == false, message: The person is away. }
`,
    ],
  ]),
);
const [persons, tasks] = ['/api/work/person', '/api/work/task'] as const;
const { service } = (await import(join(project, 'generated/app.ts'))) as { service: Service };

for (const engine of [...engines, citus]) {
  describeEngine(engine, 'a reorder of line items that no total is over', () => {
    const server = sharedServer({ project, engine, tables: service.tables });

    test('sets their fields that each request sets, and checks no rule of theirs', async () => {
      const { id: list } = await create(server, '/api/work/list', {});
      const people = [await create(server, persons, {}), await create(server, persons, {})];
      const items = [];
      for (const { id } of people) items.push((await create(server, tasks, { list_id: list, person_id: id })).id);
      const [first, second] = items;
      const setAway = (isAway: boolean) => server.request('PATCH', `${persons}/${people[1]!.id}`, { is_away: isAway });
      const reorder = () =>
        server.request('POST', `${tasks}/reorder`, { items: [first, second].map((id, at) => ({ id, idx: 5 - at })) });
      const shown = async () => (await server.request('GET', `${tasks}?parent_id=${list}`)).body;
      await setAway(true);
      expect((await server.request('PATCH', `${tasks}/${second}`, { idx: 7 })).body).toMatchObject({
        code: 'rule_violated',
      });
      expect((await reorder()).status).toBe(200);
      const editor = actorOf(testKey);
      expect(await shown()).toMatchObject({
        data: [
          { id: second, idx: 4, editor },
          { id: first, idx: 5, editor },
        ],
      });
    });
  });
}
