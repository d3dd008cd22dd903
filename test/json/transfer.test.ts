import { afterAll, expect, test } from 'vitest';

import { exportFile, importFile } from '../transfer/steps.ts';
import { Files } from '../transfer/run.ts';
import { sharedServer } from '../support/server.ts';

const server = sharedServer();
const files = new Files();

afterAll(() => files[Symbol.dispose]());

const texts = ['{"2":1,"1":[1.0,12345678901234567890]}', '["a, b\\n\\"c\\"",{}]', '{"serial_number":1e2}', '[]'];

const settingsOf = (ndjson: string): string[] =>
  ndjson
    .trimEnd()
    .split('\n')
    .map((line) => /"settings":(.*),"risk":/.exec(line)?.[1] ?? line);

test('objects of any form stay as they are from NDJSON to the server, to CSV, and back again', async () => {
  const rows = texts.map(
    (settings, at) =>
      `{"serial_number":"AB-${100_000 + at}","model":"Drill","location":null,"power":"mains","is_leased":false,"settings": ${settings}}\n`,
  );
  expect(await importFile(server.url, 'assets/machine', files.write('first.ndjson', rows.join('')))).toBe(texts.length);
  const csv = files.path('machines.csv');
  await exportFile(server.url, 'assets/machine', csv);
  expect(await importFile(server.url, 'assets/machine', csv)).toBe(texts.length);
  const exported = await exportFile(server.url, 'assets/machine', files.path('last.ndjson'));
  expect(settingsOf(exported)).toEqual([...texts, ...texts]);
});

test('rows with very many values are sent in several batches', async () => {
  const settings = `[${'1,'.repeat(1_900)}1]`;
  const rows = Array.from(
    { length: 70 },
    (_, at) =>
      `{"serial_number":"CD-${100_000 + at}","model":"Drill","location":null,"power":"mains","is_leased":false,"settings":${settings}}\n`,
  );
  expect(await importFile(server.url, 'assets/machine', files.write('many.ndjson', rows.join('')))).toBe(70);
});
