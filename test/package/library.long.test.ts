import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { projectRoot } from '../support/server.ts';
import { pack } from './pack.ts';

const run = promisify(execFile);

const folder = mkdtempSync(join(tmpdir(), 'second-service-'));
const project = join(folder, 'library');
let server: ChildProcess | undefined;

// The variables of the npm that runs the tests would lead the one of the project to the wrong place.
const env: NodeJS.ProcessEnv = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(?:npm_|NODE_|INIT_CWD|VITEST|TEST)/i.test(name)),
);
// Only the Node of the project itself may be found before the machine's.
env['PATH'] = process.env['PATH']
  ?.split(delimiter)
  .filter((path) => !path.includes('node_modules'))
  .join(delimiter);

/** Runs a command in the project; rejects with what it printed if it fails. */
const inProject = (command: string, ...args: string[]) => run(command, args, { cwd: project, env });

const read = (path: string): string => readFileSync(join(project, path), 'utf8');

async function serve(): Promise<{ url: string; key: string }> {
  const child = spawn('npm', ['start'], {
    cwd: project,
    env: { ...env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  server = child;
  let printed = '';
  for await (const chunk of child.stdout) {
    printed += String(chunk);
    const url = /http:\/\/\S+/.exec(printed)?.[0];
    if (url !== undefined) {
      child.stdout.resume();
      return { url, key: read('data/api-key').trim() };
    }
  }
  throw new Error(`The server ended:\n${printed}`);
}

async function stop(): Promise<void> {
  if (!server || server.exitCode !== null) return;
  const end = new Promise((resolve) => server?.once('exit', resolve));
  server.kill('SIGTERM');
  await end;
}

beforeAll(async () => {
  await pack(folder);
  cpSync(join(projectRoot, 'docs/library'), project, { recursive: true });
  rmSync(join(project, 'spec'), { recursive: true });
  const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as { version: string };
  const tarball = `vendor/spec-to-server-${version}.tgz`;
  mkdirSync(join(project, 'vendor'));
  cpSync(join(folder, `spec-to-server-${version}.tgz`), join(project, tarball));
  await inProject('npm', 'install', '--prefer-offline', `./${tarball}`);
  await inProject('npx', 'spec-to-server', 'init', 'library');
  await inProject('npm', 'install', '--prefer-offline');
}, 300_000);

afterAll(async () => {
  await stop();
  rmSync(folder, { recursive: true, force: true });
});

test('init makes a project that generates, type-checks and has nothing to check', async () => {
  expect(JSON.parse(read('package.json'))).toMatchObject({ name: 'library', private: true });
  await expect(inProject('npm', 'run', 'check')).rejects.toMatchObject({
    stdout: expect.not.stringContaining('TS18003'),
    stderr: expect.stringContaining('generated/app.ts is missing.'),
  });
  await inProject('npm', 'run', 'generate');
  expect(read('generated/office/note.schema.ts')).toContain(`from 'spec-to-server';`);
  await inProject('npm', 'run', 'check');
});

test('the package installs no script that reports, and has the files of the reference with their licence', async () => {
  const installed = readdirSync(join(project, 'node_modules'));
  expect(installed).toContain('spec-to-server');
  expect(installed.filter((name) => /scarf|swagger/.test(name))).toEqual([]);
  const copies = join(project, 'node_modules/spec-to-server/dist/runtime/apps/reference/swagger-ui');
  expect(readdirSync(copies)).toEqual(expect.arrayContaining(['LICENSE', 'NOTICE']));
});

test('a command that is nearly right is suggested', async () => {
  await expect(inProject('npx', 'spec-to-server', 'genrate')).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('There is no command "genrate"; did you mean "generate"?'),
  });
});

test('init again says what is there, and writes nothing', async () => {
  const before = read('package.json');
  await expect(inProject('npx', 'spec-to-server', 'init')).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Nothing was written: spec/service.yaml, spec/office/note.yaml'),
  });
  expect(read('package.json')).toBe(before);
});

test('the library of the documentation is generated, type-checked and served', async () => {
  rmSync(join(project, 'spec'), { recursive: true });
  cpSync(join(projectRoot, 'docs/library/spec'), join(project, 'spec'), { recursive: true });
  const { stdout } = await inProject('npm', 'run', 'generate');
  expect(stdout).toContain('removed  generated/office/note.schema.ts');
  await inProject('npm', 'run', 'check');
  const hooks = read('spec/lending/loan.hooks.ts');
  writeFileSync(join(project, 'spec/lending/loan.hooks.ts'), hooks.replace('record.fine_per_day', 'record.fine'));
  await expect(inProject('npm', 'run', 'check')).rejects.toMatchObject({
    stdout: expect.stringMatching(/spec\/lending\/loan\.hooks\.ts.*'fine' does not exist/),
  });
  writeFileSync(join(project, 'spec/lending/loan.hooks.ts'), hooks);

  const { url, key } = await serve();
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const send = (method: string, path: string, body?: object): Promise<Response> =>
    fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const ask = async (method: string, path: string, body?: object): Promise<Record<string, unknown>> => {
    const response = await send(method, path, body);
    expect(response.ok, await response.clone().text()).toBe(true);
    return (await response.json()) as Record<string, unknown>;
  };
  for (const file of ['swagger-ui-bundle.js', 'swagger-ui.css', 'icon.svg', 'tokens.css', 'main.js'])
    expect((await fetch(`${url}/docs/${file}`)).status, file).toBe(200);
  const book = await ask('POST', '/api/catalogue/book', {
    title: 'Emma',
    authors: ['Jane Austen'],
    isbn: '9780141439587',
  });
  expect(book).toMatchObject({ title: 'Emma', language: 'en' });
  expect(await ask('GET', '/api/catalogue/book?authors[has]=Jane%20Austen')).toMatchObject({ data: [book], total: 1 });
  const copy = await ask('POST', '/api/catalogue/copy', { book_id: book['id'], number: 1, shelf: 'A 12' });
  const member = await ask('POST', '/api/lending/member', { name: 'Ada', email: 'ada@example.org' });
  const loan = await ask('POST', '/api/lending/loan', {
    copy_id: copy['id'],
    member_id: member['id'],
    due_on: '2027-01-31',
  });
  expect(loan).toMatchObject({
    lent_on: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    fine_per_day: '0.20',
    status: 'open',
  });
  const loanPath = `/api/lending/loan/${loan['id']}`;
  for (const amount of ['0.1', '0.2']) await ask('POST', '/api/lending/fine', { loan_id: loan['id'], amount });
  expect(await ask('GET', `/api/lending/loan?member_id=${member['id']}&expand=copy_id,member_id,fine`)).toMatchObject({
    data: [
      {
        copy,
        member: { id: member['id'], card_number: 'B-00001', open_loans: 1 },
        fine: { data: [{ amount: '0.10' }, { amount: '0.20' }], total: 2 },
        fines: '0.30',
      },
    ],
  });
  expect(await ask('GET', `/api/lending/member/${member['id']}?expand=loans`)).toMatchObject({
    loans: { data: [{ id: loan['id'] }], total: 1 },
  });
  const refusals: [method: string, path: string, body: object | undefined, problem: object][] = [
    ['POST', '/api/lending/member', { name: 'Eve', email: 'Ada@example.org' }, { conflicting_id: member['id'] }],
    ['POST', '/api/catalogue/book', { title: 'Emma', authors: ['J. A.'], isbn: book['isbn'] }, { code: 'not_unique' }],
    ['POST', '/api/catalogue/copy', { book_id: 'book_1', number: 1, shelf: 'A' }, { code: 'reference_missing' }],
    ['POST', '/api/lending/fine', { loan_id: loan['id'], amount: '0.001' }, { code: 'invalid_body' }],
    ['PATCH', loanPath, { lent_on: '2020-01-01' }, { errors: [{ pointer: '/lent_on', code: 'immutable' }] }],
    [
      'PATCH',
      loanPath,
      { due_on: '2020-01-01' },
      { code: 'rule_violated', detail: 'A copy is due after it was lent.', errors: [{ pointer: '/due_on' }] },
    ],
    ['DELETE', `/api/catalogue/book/${book['id']}`, undefined, { code: 'still_referenced' }],
  ];
  for (const [method, path, body, problem] of refusals)
    expect(await (await send(method, path, body)).json(), path).toMatchObject(problem);
  expect(await ask('POST', `${loanPath}/return`)).toMatchObject({ status: 'returned' });
  const hours = await ask('GET', '/api/lending/opening-hours');
  expect(await ask('PATCH', `/api/lending/opening-hours/${hours['id']}`, { open_on_sundays: true })).toMatchObject({
    opens_at: '10:00:00+01:00',
    open_on_sundays: true,
  });
  const lend = (due: string) =>
    send('POST', '/api/lending/loan', {
      copy_id: copy['id'],
      member_id: member['id'],
      lent_on: '2019-12-01',
      due_on: due,
    });
  const late = await Promise.all(Array.from({ length: 6 }, () => lend('2020-01-01')));
  expect(late.map(({ status }) => status).toSorted()).toEqual([201, 201, 201, 201, 201, 422]);
  expect(await (await lend('2020-01-01')).json()).toMatchObject({
    code: 'rule_violated',
    detail: 'A member can have five loans at once.',
  });
  const made = late.find(({ ok }) => ok) as Response;
  const { id: lateLoan } = (await made.json()) as { id: string };
  await ask('POST', `/api/lending/loan/${lateLoan}/return`);
  expect(await ask('GET', `/api/lending/fine?parent_id=${lateLoan}`)).toMatchObject({
    data: [{ amount: '25.00' }],
    total: 1,
  });
  expect(await ask('GET', `/api/lending/loan/${lateLoan}`)).toMatchObject({ fines: '25.00' });
  await stop();
  expect(server?.exitCode).toBe(0);
});

test('init with other folders makes a project whose commands all use them', async () => {
  const nested = join(project, 'other');
  mkdirSync(nested);
  // It has no packages of its own: it finds those of the folder above.
  const there = (command: string, ...args: string[]) => run(command, args, { cwd: nested, env });
  const bin = join(project, 'node_modules/.bin/spec-to-server');
  await there(bin, 'init', 'other', '--spec', 'api', '--out=src/generated');
  const { scripts } = JSON.parse(read('other/package.json')) as { scripts: Record<string, string> };
  expect(scripts['dev']).toBe('exec spec-to-server dev --spec api --out src/generated');
  await there('npm', 'run', 'new', '--', 'office/desk');
  const { stdout } = await there('npm', 'run', 'generate');
  expect(stdout).toContain('wrote    src/generated/office/desk.schema.ts');
  expect(read('other/src/generated/office/desk.schema.ts')).toContain('// Generated from api/office/desk.yaml.');
  await there('npm', 'run', 'check');
  expect(readdirSync(nested).toSorted()).toEqual([
    '.github',
    '.gitignore',
    'api',
    'package.json',
    'src',
    'tsconfig.client.json',
    'tsconfig.json',
  ]);
  writeFileSync(join(nested, 'api/office/desk.yaml'), 'kind: recrd\n');
  await expect(there('npm', 'run', 'check')).rejects.toMatchObject({
    stderr: expect.stringMatching(/^api\/office\/desk\.yaml:1:7: [^]* in api\/; nothing was written\.$/m),
  });
  rmSync(join(nested, 'api/office/desk.yaml'));
  expect((await there('npm', 'run', 'generate')).stdout).toContain('removed  src/generated/office/desk.schema.ts');
  await there('npm', 'run', 'migrate');
  expect(existsSync(join(nested, 'data/records.db'))).toBe(true);
  await expect(there(bin, 'generate', '--spec', '../api')).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--spec must be a folder in this one'),
  });
  await expect(there(bin, 'generate', '--out', 'spec/code')).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('must be different folders'),
  });
  rmSync(nested, { recursive: true });
});

test('an edit is explained by changes, and made in the database by migrate', async () => {
  const git = (...args: string[]) =>
    inProject('git', '-c', 'user.name=Test', '-c', 'user.email=test@example.com', ...args);
  await git('init', '--quiet', '--initial-branch=main');
  await git('add', '.');
  await git('commit', '--quiet', '--message', 'The library');
  writeFileSync(
    join(project, 'spec/lending/loan.yaml'),
    `${read('spec/lending/loan.yaml')}`.replace('  status:', '  note:\n  status:'),
  );
  const { stdout: page } = await inProject('npm', 'run', '--silent', 'changes');
  expect(page).toContain('**No breaking change** · 1 safe change · 1 statement for the database');
  expect(page).toContain('`note` is new');
  await expect(inProject('npm', 'run', 'check')).rejects.toMatchObject({ code: 1 });
  await inProject('npm', 'run', 'generate');
  await inProject('npm', 'run', 'check');
  const { stdout } = await inProject('npm', 'run', '--silent', 'migrate');
  expect(stdout).toContain('alter table "loan" add column "note" text');
  expect((await inProject('npm', 'run', '--silent', 'migrate')).stdout).toContain('Nothing to do.');
  expect(existsSync(join(project, 'data/records.db'))).toBe(true);
});
