import { readFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';

import { service } from '../service/generated/app.ts';
import { citus, describeEngine, engines } from '../support/databases.ts';
import { pageIn } from '../support/records.ts';
import { sharedServer } from '../support/server.ts';
import { Files, run } from './run.ts';

for (const engine of [...engines, citus]) {
  describeEngine(engine, 'an import by a key', () => {
    const server = sharedServer({ engine, tables: service.tables });
    const files = new Files();
    afterAll(() => files[Symbol.dispose]());
    const list = async (path: string) => pageIn(await server.request('GET', path));

    test('updates the records that have the key of rows, and creates others', async () => {
      const { id: old } = (
        await server.request('POST', '/api/register/member', { name: 'Old', card_number: 'key-1', company: 'Kept' })
      ).body as { id: string };
      const file = files.write(
        'members.csv',
        'card_number,name,referrer.card_number\nkey-1,Ann,\nkey-2,Bob,key-1\nkey-3,Cem,key-2\nKEY-1,Dan,key-1\n',
      );
      const command = ['import', 'register/member', file, '--key', 'card_number'];
      const says = async (text: string, ...more: readonly string[]): Promise<void> => {
        const { code, stdout } = await run(server, files, ...command, ...more);
        expect({ code, text: stdout.trim().split('\n').at(-1) }).toEqual({ code: 0, text });
      };
      await says('4 rows would be imported as register/member: 3 created, 1 updated.', '--dry-run');
      await says('Records: 3 created, 1 updated, 0 unchanged, 0 rejected.');
      const members = async () => {
        const { data } = await list('/api/register/member?card_number[in]=key-1,key-2,key-3,KEY-1&sort=created_at');
        return data;
      };
      const [ann, bob, ...others] = await members();
      expect(ann).toMatchObject({ id: old, name: 'Ann', company: 'Kept', referrer_id: null });
      expect(bob).toMatchObject({ name: 'Bob', referrer_id: old });
      expect(others).toMatchObject([
        { name: 'Cem', referrer_id: bob!['id'] },
        { name: 'Dan', referrer_id: old },
      ]);
      // The next run finds the same records: nothing changes.
      const before = await members();
      await says('Records: 0 created, 0 updated, 4 unchanged, 0 rejected.');
      expect(await members()).toEqual(before);

      const wrong = files.write('wrong.csv', 'card_number,company\nkey-2,New\n,None\nkey-2,Twice\nkey-4,Nameless\n');
      const rejects = files.path('wrong-rows.csv');
      const args = ['import', 'register/member', wrong, '--key', 'card_number'];
      const refused = await run(server, files, ...args);
      expect(refused.code).toBe(1);
      expect(refused.stderr.replaceAll(`${wrong}:`, '').split('\n').slice(0, 4)).toEqual([
        '3: card_number is missing: --key names it',
        '3: name is required',
        '4: card_number is "key-2", as in line 2',
        '5: name is required',
      ]);
      const { code, stdout } = await run(server, files, ...args, '--rejects', rejects);
      expect(code).toBe(1);
      expect(stdout).toContain('Records: 0 created, 1 updated, 0 unchanged, 3 rejected.');
      expect(await members()).toMatchObject([{}, { name: 'Bob', company: 'New' }, {}, {}]);
      expect(readFileSync(rejects, 'utf8').trim().split('\n')).toHaveLength(4);

      const usage = async (...more: readonly string[]) => (await run(server, files, ...more)).stderr;
      expect(await usage('import', 'register/member', file, '--key', 'company')).toContain(
        '--key is "company"; it must be a field that is unique by itself: those of register/member are card_number, email.',
      );
      expect(await usage('import', 'crm/contact', file, '--key', 'company')).toContain('crm/contact has none');
      expect(await usage('import', 'register/member', wrong, '--key', 'email')).toContain('no column for email');
    });

    test('compares keys as they are, also one that is unique without case', async () => {
      await server.request('POST', '/api/register/member', { name: 'Eve', email: 'eve@key.example' });
      const file = files.write(
        'emails.ndjson',
        '{"name":"Eva","email":"eve@key.example"}\n{"email":"EVE@key.example","name":"Ewa"}\n',
      );
      const { code, stderr } = await run(
        server,
        files,
        'import',
        'register/member',
        file,
        '--key',
        'email',
        '--parallel',
        '1',
      );
      expect(code).toBe(1);
      expect(stderr).toContain(`${file}:2: `);
      const rejects = files.path('emails-rejected.ndjson');
      await run(server, files, 'import', 'register/member', file, '--key', 'email', '--rejects', rejects);
      expect(readFileSync(rejects, 'utf8')).toContain('Ewa');
      const { data } = await list('/api/register/member?q=eva');
      expect(data).toMatchObject([{ email: 'eve@key.example', name: 'Eva' }]);
    });
  });
}
