import { afterAll, expect, test } from 'vitest';

import { create, listAll } from '../support/records.ts';
import { sharedServer } from '../support/server.ts';
import { Files, run } from '../transfer/run.ts';

const server = sharedServer();
const files = new Files();

afterAll(() => files[Symbol.dispose]());

test('an import names each row that clashes, with a record or with an earlier row, and stores the others', async () => {
  const { id } = await create(server, '/api/register/member', { name: 'A', card_number: '1', email: 'a@example.com' });
  const file = files.write('members.csv', 'name,card_number,email\nB,2,\nC,1,\nD,3,A@EXAMPLE.COM\nE,2,\nF,4,\n');
  const rejects = files.path('rejects.csv');
  const { code, stderr } = await run(server, files, 'import', 'register/member', file, '--rejects', rejects);
  expect(code).toBe(1);
  const lines = stderr.split('\n');
  expect(lines).toContainEqual(expect.stringMatching(new RegExp(`:3:.*card_number is the same as in ${id}$`)));
  expect(lines).toContainEqual(expect.stringMatching(new RegExp(`:4:.*email is the same as in ${id}$`)));
  expect(lines).toContainEqual(
    expect.stringMatching(/:5:.*card_number is the same as in (an earlier operation|member_)/),
  );
  const stored = await listAll(server, '/api/register/member');
  expect(stored.map(({ name }) => name).toSorted()).toEqual(['A', 'B', 'F']);
});
