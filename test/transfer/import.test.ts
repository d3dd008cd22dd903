import { readFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';

import { sharedServer } from '../support/server.ts';
import { Files, run } from './run.ts';

const server = sharedServer();
const files = new Files();

afterAll(() => files[Symbol.dispose]());

interface List {
  readonly data: readonly Readonly<Record<string, unknown>>[];
  readonly total: number;
}

const list = async (path: string): Promise<List> => (await server.request('GET', path)).body as List;

test.concurrent('rows become records, as a map says, and only once', async () => {
  const text =
    '\uFEFFid,Full Name,company,birthday,Age\r\n1,"Zoë ""Z"" Ωμ\r\n🙂",,2001-02-03,5\r\n\r\n2,"x, y","",,\r\n';
  const file = files.write('contacts.csv', text);
  const args = ['import', 'crm/contact', file, '--map', 'Full Name=full_name', '--map', 'Age=', '--parallel', '1'];
  const dry = await run(server, files, ...args, '--dry-run');
  expect(dry).toMatchObject({ code: 0, stdout: '2 rows would be imported as crm/contact.\n' });
  expect(dry.stderr).toBe('Left out, as the service sets them: id.\n');
  expect((await list('/api/crm/contact')).total).toBe(0);

  expect(await run(server, files, ...args)).toMatchObject({ code: 0 });
  const { data } = await list('/api/crm/contact');
  expect(data).toMatchObject([
    { full_name: 'x, y', company: '', birthday: null, notes: null },
    { full_name: 'Zoë "Z" Ωμ\r\n🙂', company: null, birthday: '2001-02-03' },
  ]);

  const repeated = await run(server, files, ...args);
  expect(repeated).toMatchObject({ code: 0 });
  expect(repeated.stdout).toContain('An earlier run stored 2 rows of them; --again imports them once more.');
  expect((await list('/api/crm/contact')).total).toBe(2);
  expect(await run(server, files, ...args, '--again')).toMatchObject({ code: 0 });
  expect((await list('/api/crm/contact')).total).toBe(4);
});

test.concurrent('every error is named by line and column, and nothing is sent', async () => {
  const file = files.write(
    'machines.csv',
    [
      'serial_number,model,location,power,is_leased,hours,built_on',
      'AB-123456,Lathe,,mains,true,12,2020-02-29',
      '"AB-12\n",Lathe,"",steam,yes,"1,5",2021-02-29',
      'AB-123456,Lathe,',
      'AB-123456,"x",Hall,hand,,0,',
      'AB-123456,Lathe,,mains,true,1e999,',
    ].join('\n'),
  );
  const { code, stderr } = await run(server, files, 'import', 'assets/machine', file);
  expect(code).toBe(1);
  const lines = stderr.replaceAll(`${file}:`, '').trim().split('\n');
  expect(lines).toEqual([
    '4: is_leased must be true or false, not "yes"',
    '4: hours must be an integer, like 1234, not "1,5"',
    '3: serial_number must match the pattern ^[A-Z]{2}-[0-9]{6}$, not "AB-12\\n"',
    '4: power must be one of "mains", "battery", "hand", not "steam"',
    '4: built_on must be a real date, written YYYY-MM-DD, not "2021-02-29"',
    '5: the row has 3 cells, but the header has 7',
    '6: model must be at least 3 characters long, not "x"',
    '6: is_leased is required',
    '7: hours is too large for a number',
    '4 rows of 5 cannot be imported: nothing was sent. Correct the file, or import the other rows with --rejects FILE.',
  ]);
  expect((await list('/api/assets/machine')).total).toBe(0);
});

test.concurrent('with --rejects, rows that are wrong here or refused there are written to a file', async () => {
  const { body } = await server.request('POST', '/api/sales/order', {
    ordered_on: '2026-01-01',
    company: 'Acme',
    currency: 'EUR',
  });
  const { id } = body as { id: string };
  const rows = [
    { order_id: id, article: 'A', quantity: 1.5 },
    { order_id: 'order_none', article: 'B' },
    { order_id: id, article: 'C', quantity: 'many' },
    { order_id: id, article: 'D', amount: 2 },
    { order_id: id, article: 'E', due_on: null },
  ];
  const lines = rows.map((row) => JSON.stringify(row));
  lines.push(`{"order_id":"${id}","article":"F","quantity":9007199254740993}`);
  const file = files.write('lines.ndjson', `${lines.join('\n')}\n{`);
  const rejects = files.path('rejects.ndjson');
  const args = ['import', 'sales/order-line', file, '--rejects', rejects];
  const dry = await run(server, files, ...args, '--dry-run');
  expect(dry).toMatchObject({ code: 1, stdout: '3 rows would be imported as sales/order-line.\n' });
  const { code, stdout, stderr } = await run(server, files, ...args);
  expect(code).toBe(1);
  expect(stdout).toContain('as sales/order-line: 2 rows');
  expect(readFileSync(rejects, 'utf8').split('\n').toSorted()).toEqual(
    ['', '{', lines[1], lines[2], lines[3], lines[5]].toSorted(),
  );
  const named = stderr.replaceAll(`${file}:`, '').trim().split('\n');
  expect(named.pop()).toBe(`5 rows not imported: see ${rejects}.`);
  expect(named.toSorted()).toEqual([
    '2: the row is refused: No order has the id "order_none" given in order_id.',
    '3: quantity must be a number, not a string',
    '4: amount is not a field. `--map "amount=FIELD"` names its field, `--map "amount="` leaves it out.',
    '6: quantity must be a number with fewer digits, not "9007199254740993"',
    '7: the row is not valid JSON',
  ]);

  const repeated = await run(server, files, ...args);
  expect(repeated.stderr).toContain(`5 rows not imported: see ${rejects}.`);
  expect(readFileSync(rejects, 'utf8').trimEnd().split('\n')).toHaveLength(5);
  const items = await list(`/api/sales/order-line?parent_id=${id}`);
  expect(items.total).toBe(2);
  expect(items.data).toMatchObject([
    { idx: 1, article: 'A', quantity: 1.5 },
    { idx: 2, article: 'E', due_on: null },
  ]);
});

test.concurrent('rows without any value are left out and counted, and line numbers stay true', async () => {
  const file = files.write('cleared.csv', 'competitor_name,website\n,\na,\n,,\nb,x,y\n,\n');
  const { code, stderr } = await run(server, files, 'import', 'crm/competitor', file, '--dry-run');
  expect([code, stderr.replaceAll(`${file}:`, '')]).toEqual([
    1,
    expect.stringContaining('5: the row has 3 cells, but the header has 2'),
  ]);
  expect(stderr).toContain('Left out: 3 rows without any value.');
});

test.concurrent('a JSON file is refused with what to write', async () => {
  const file = files.write('leads.json', '[{"lead_name":"A"}]');
  const { code, stderr } = await run(server, files, 'import', 'crm/lead', file);
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining('Write each record as a JSON object on a line of its own'),
  ]);
});
