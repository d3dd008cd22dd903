import { expect, test } from 'vitest';

import { copyProject, leadPath } from '../features/project.ts';
import { expectProblem } from '../support/problem.ts';
import { TestServer } from '../support/server.ts';

const lead = `kind: record
doc: A lead.
fields:
  name: { required: true }
  age: integer
  status: { enum: [draft, sent], default: draft, nullable: false }
rules:
  - when: status == "sent"
    that: age != null
    message: A sent lead has an age.
    field: age
transitions:
  reorder: { from: draft, to: sent }
`;

test('a transition that is called reorder checks the rules, as a reorder of line items does not', async () => {
  using project = await copyProject('', lead);
  await using server = new TestServer({ project: project.root, alone: true });
  await server.start();
  const { id } = (await server.request('POST', leadPath, { name: 'Ada' })).body as { id: string };
  expectProblem(await server.request('POST', `${leadPath}/${id}/reorder`), 422, 'rule_violated');
  expect((await server.request('PATCH', `${leadPath}/${id}`, { age: 36 })).status).toBe(200);
  expect((await server.request('POST', `${leadPath}/${id}/reorder`)).body).toMatchObject({ status: 'sent' });
});
