import { afterAll, expect, test, vi } from 'vitest';

import { Api } from '../../runtime/data/transfer/api.ts';
import { openNdjson } from '../../runtime/data/transfer/ndjson-source.ts';
import { Lookups, lookupsOf } from '../../runtime/data/transfer/lookups.ts';
import { findResource } from '../../runtime/data/transfer/resource.ts';
import type { SourceRow } from '../../runtime/data/transfer/source-row.ts';
import { service } from '../service/generated/app.ts';
import { create, listAll } from '../support/records.ts';
import { sharedServer, testKey } from '../support/server.ts';
import { Files, run } from './run.ts';

const server = sharedServer();
const files = new Files();

afterAll(() => files[Symbol.dispose]());

const loans = async (borrower: string) =>
  (await listAll(server, '/api/library/loan')).filter((loan) => String(loan['borrower']).startsWith(borrower));

const resource = findResource(service.tables, 'library/loan');
const fields = lookupsOf(service.tables, resource);

/** The rows of a file with the ids that a server gives for them. */
async function resolve(api: Api, file: string): Promise<SourceRow[]> {
  const source = openNdjson({ file, fields, renames: new Map(), fixed: {}, delimiter: ',' });
  const rows = [];
  for await (const row of new Lookups(async () => api, fields).resolve(source).rows) rows.push(row);
  return rows;
}

const newBook = async (): Promise<string> => {
  const author = await create(server, '/api/library/author', { name: 'Ann' });
  return (await create(server, '/api/library/book', { title: 'A', author_id: author.id })).id;
};

test('rows name records by a unique value, which up to 100 at a time are looked up by', async () => {
  const book = await newBook();
  const ids: string[] = [];
  for (let i = 0; i < 120; i++) {
    const card = i === 7 ? 'a,b\\c"' : `card ${i}`;
    const member = { name: 'A', card_number: card, email: `Zoë.${i}@Example.com` };
    ids.push((await create(server, '/api/register/member', member)).id);
  }
  const row = (card: string, i: number): string => `${book},F${String(i).padStart(3, '0')},${card}\n`;
  const cards = ids.map((_, i) => (i === 7 ? '"a,b\\c"""' : `card ${i}`));
  const file = files.write('filter.csv', `book_id,borrower,Card\n${[...cards, ...cards, ''].map(row).join('')}`);
  const args = ['import', 'library/loan', file, '--map', 'Card=member.card_number'];
  const dry = await run(server, files, ...args, '--dry-run');
  expect(dry).toMatchObject({ code: 0, stdout: '241 rows would be imported as library/loan.\n' });
  expect(await run(server, files, ...args)).toMatchObject({ code: 0 });
  const stored = (await loans('F')).toSorted((a, b) => (String(a['borrower']) < String(b['borrower']) ? -1 : 1));
  expect(stored.map(({ member_id }) => member_id)).toEqual([...ids, ...ids, null]);

  const known = files.write(
    'known.ndjson',
    ids
      .map((_, i) => `{"member.card_number":"card ${i}"}\n`)
      .join('')
      .repeat(3),
  );
  const api = new Api({ url: server.url, key: testKey });
  const get = vi.spyOn(api, 'get');
  expect((await resolve(api, known)).map(({ body }) => body['member_id'])).toHaveLength(360);
  // The values of 100 rows, the 20 new ones of the next rows, and once more one that no record has.
  expect(get).toHaveBeenCalledTimes(3);

  // The case of this field does not matter: all of its values are read.
  const line = (email: string | null, i: number): string =>
    `${JSON.stringify({ book_id: book, borrower: `I${i}`, 'member.email': email })}\n`;
  const emails = ['ZOE.3@example.com', 'zoë.4@Example.COM', null];
  const ndjson = files.write('case.ndjson', emails.map(line).join(''));
  expect(await run(server, files, 'import', 'library/loan', ndjson)).toMatchObject({ code: 0 });
  const inAnyCase = (await loans('I')).toSorted((a, b) => (String(a['borrower']) < String(b['borrower']) ? -1 : 1));
  expect(inAnyCase.map(({ member_id }) => member_id)).toEqual([ids[3], ids[4], null]);
}, 60_000);

test('a value that no record has is an error of its row, also in a dry run', async () => {
  const book = await newBook();
  const { id } = await create(server, '/api/register/member', { name: 'B', card_number: 'known' });
  const file = files.write(
    'unknown.csv',
    `book_id,borrower,member.card_number\n${book},U1,known\n${book},U2,unknown\n${book},U3,${'x'.repeat(30)}\n`,
  );
  const args = ['import', 'library/loan', file];
  for (const option of [['--dry-run'], []]) {
    const { code, stderr } = await run(server, files, ...args, ...option);
    expect(code).toBe(1);
    const [first, second] = stderr.replaceAll(`${file}:`, '').split('\n');
    expect(first).toBe('3: member.card_number names no member: none has the card_number "unknown"');
    expect(second).toBe(`4: member.card_number names no member: none has the card_number "${'x'.repeat(30)}"`);
  }
  expect(await loans('U')).toEqual([]);
  const rejects = files.path('rejects.csv');
  expect((await run(server, files, ...args, '--rejects', rejects)).code).toBe(1);
  expect(await loans('U')).toMatchObject([{ borrower: 'U1', member_id: id }]);

  const twice = files.write('twice.csv', `book_id,borrower,member_id,member.email\n${book},U4,,\n`);
  const { stderr } = await run(server, files, 'import', 'library/loan', twice);
  expect(stderr).toContain('The columns "member_id" and "member.email" are both the field member_id.');
});

test('a value that several records have is an error', async () => {
  const file = files.write('several.ndjson', '{"member.card_number":"1"}\n');
  const data = ['member_1', 'member_2'].map((id) => ({ id, card_number: '1' }));
  const api = { get: async () => ({ body: { data }, bytes: 0 }) } as unknown as Api;
  const message = 'names several records, which all have the card_number "1"';
  expect(await resolve(api, file)).toMatchObject([
    { body: {}, errors: [{ line: 1, column: 'member.card_number', message }] },
  ]);
});

test('rows name earlier rows of the same file, in the same batch and in others, and again', async () => {
  // More than a batch: the last row names the first one.
  const rows = Array.from(
    { length: 150 },
    (_, n) => `T${n},tree ${n},${n === 0 ? '' : `tree ${n === 149 ? 0 : n - 1}`}`,
  );
  const file = files.write('tree.csv', `name,card_number,referrer.card_number\n${rows.join('\n')}\n`);
  const args = ['import', 'register/member', file];
  expect(await run(server, files, ...args, '--dry-run')).toMatchObject({ code: 0 });
  const again = [await run(server, files, ...args), await run(server, files, ...args)];
  expect(again).toMatchObject([{ code: 0 }, { code: 0, stdout: expect.stringContaining('stored 150 rows') }]);
  const members = await listAll(server, '/api/register/member');
  const ids = rows.map((_, n) => members.find((member) => member['card_number'] === `tree ${n}`)?.['id']);
  const referrers = rows.map((_, n) => members.find(({ id }) => id === ids[n])?.['referrer_id']);
  expect(referrers).toEqual(rows.map((_, n) => (n === 0 ? null : ids[n === 149 ? 0 : n - 1])));
});

test('a row whose earlier row is rejected is rejected, too; a later row cannot be named', async () => {
  const text = [
    'name,card_number,code,referrer.card_number',
    'A,late 1,,late 2',
    'B,late 2,,',
    'C,bad 1,x,',
    'D,bad 2,,bad 1',
    'E,good,,late 2',
  ].join('\n');
  const file = files.write('order.csv', text);
  const refused = await run(server, files, 'import', 'register/member', file);
  expect(refused.stderr).toContain('order.csv:2: referrer.card_number names no member: none has');
  const rejects = files.path('order-rejects.csv');
  const { stderr } = await run(server, files, 'import', 'register/member', file, '--rejects', rejects);
  expect(stderr).toContain('order.csv:5: the row names the row of line 4, which is not imported');
  expect(stderr).toContain('3 rows not imported');
});
