import { readFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';

import { Journal } from '../../runtime/data/transfer/journal.ts';
import { Files } from './run.ts';

const files = new Files();

afterAll(() => files[Symbol.dispose]());

const purpose = { resource: 'crm/lead', url: '', organization: 'main', map: [], fixed: {}, delimiter: ',' };
const idOf = (number: number): string => `lead_${String(number).padStart(26, '0')}`;

/** The journal of an import whose first batch was sent at the beginning, and has no answer, as the file has it. */
function stalled(batches: number): string {
  const lines: object[] = [
    { import: purpose, newest: idOf(0) },
    { sent: 0, rows: 1, hash: '', at: 0 },
  ];
  for (let number = 1; number <= batches; number++) {
    lines.push({ sent: number, rows: 1, hash: '', at: number * 1_000 });
    lines.push({ stored: number, ids: [idOf(number)], at: number * 1_000 });
  }
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

test('a batch without an answer is looked for among all records that are newer, however many were stored since', async () => {
  const journal = await Journal.read(files.write('stalled.journal', stalled(1_000)));
  expect(journal?.suspects.after).toBe(idOf(0));
  expect(journal?.suspects.except.size).toBe(1_000);
});

test('what was stored before every batch without an answer is forgotten', async () => {
  const journal = await Journal.read(
    files.write('stored.journal', `${stalled(1_000)}{"stored":0,"ids":[],"at":1000000}\n`),
  );
  expect(journal?.suspects.after).toBe(idOf(989));
});

test('a journal is only repaired by who continues it: another import may be writing it', async () => {
  const whole = stalled(2);
  const file = files.write('open.journal', `${whole}{"sent":3,"ro`);
  const journal = await Journal.read(file);
  expect(readFileSync(file, 'utf8')).toBe(`${whole}{"sent":3,"ro`);
  await journal?.reopen();
  await journal?.sent(3, { rows: 1, hash: '', without: [] });
  await journal?.close();
  expect(readFileSync(file, 'utf8')).toMatch(/"at":2000\}\n\{"sent":3,"rows":1,"hash":"","at":\d+\}\n$/);
});
