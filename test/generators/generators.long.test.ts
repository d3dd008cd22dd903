import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test, type TestContext } from 'vitest';

import { compile } from '../support/compiler.ts';
import { sharedServer, testKey, testProject } from '../support/server.ts';
import { skip } from '../support/skip.ts';

const run = promisify(execFile);

const tools = import.meta.dirname;
const file = join(testProject, 'generated/openapi.json');
const text = readFileSync(file, 'utf8');

/** The folder in which clients are made: Node takes types away from no file in `node_modules`. */
const folder = mkdtempSync(join(tmpdir(), 'generators-'));

const server = sharedServer();

/** Why the tools are missing. */
let missing: string | undefined;

beforeAll(async () => {
  try {
    const quiet = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline'];
    await run('npm', ['install', '--no-save', ...quiet], { cwd: tools });
  } catch (error) {
    const { stderr } = error as { stderr: string };
    // Any other failure is one of the test.
    if (!/\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH)\b/.test(stderr)) throw error;
    missing = 'the registry of npm cannot be reached';
  }
  symlinkSync(join(tools, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), readFileSync(join(tools, 'package.json')));
}, 600_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A test that needs the tools. */
const toolTest = (name: string, check: (context: TestContext) => Promise<void>): void =>
  test(name, async (context) => (missing === undefined ? check(context) : skip(context, missing)));

const write = (name: string, content: string): void => writeFileSync(join(folder, name), content);

/** Runs the script of a tool in the folder. @returns what it prints */
async function tool(script: string, ...args: string[]): Promise<string> {
  const { stdout } = await run(process.execPath, [join(tools, 'node_modules', script), ...args], { cwd: folder });
  return stdout;
}

/** Type-checks a program and all that it imports. */
async function typeCheck(...programs: string[]): Promise<void> {
  const compilerOptions = {
    target: 'esnext',
    lib: ['esnext', 'dom', 'dom.iterable'],
    module: 'esnext',
    moduleResolution: 'bundler',
    types: [],
    noEmit: true,
    strict: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
  };
  write('tsconfig.json', JSON.stringify({ compilerOptions, files: programs }));
  expect(await compile(folder)).toBe('');
}

const runProgram = async (name: string): Promise<unknown> =>
  JSON.parse((await run(process.execPath, [join(folder, name)])).stdout) as unknown;

const connection = (): string =>
  `const url = '${server.url}';\nconst headers = { Authorization: 'Bearer ${testKey}' };\n`;

toolTest('Spectral has nothing to say', async () => {
  // The contact is up to the spec.
  write('spectral.json', JSON.stringify({ extends: ['spectral:oas'], rules: { 'info-contact': 'off' } }));
  const found = await tool('@stoplight/spectral-cli/dist/index.js', 'lint', file, '-r', 'spectral.json', '-f', 'json');
  expect(JSON.parse(/\[[^]*\]/.exec(found)?.[0] ?? '')).toEqual([]);
});

toolTest(
  'a client of openapi-fetch, with types of openapi-typescript, writes batches and finds values with commas',
  async () => {
    await tool('openapi-typescript/bin/cli.js', file, '-o', 'schema.ts');
    write(
      'use-fetch.ts',
      `import createClient from 'openapi-fetch';
import type { paths } from './schema.ts';
${connection()}const api = createClient<paths>({ baseUrl: url, headers });
const bodies = ['Acme, Ltd', 'Bolt'].map((company) => ({ full_name: 'Ann', company }));
const { data: done } = await api.POST('/api/batch', {
  body: { operations: bodies.map((body) => ({ method: 'POST' as const, path: '/api/crm/contact', body })) },
});
const { data: found } = await api.GET('/api/crm/contact', {
  params: { query: { 'company[in]': ['Acme, Ltd', 'Bolt'], sort: ['id'] } },
});
const { data: events } = await api.GET('/api/events', { params: { query: { limit: 1 } } });
const before: unknown = events?.data[0]?.changes['company']?.[0];
console.log(JSON.stringify([done?.results.length, found?.data.map(({ company }) => company), before]));\n`,
    );
    await typeCheck('use-fetch.ts');
    expect(await runProgram('use-fetch.ts')).toEqual([2, ['Acme, Ltd', 'Bolt'], null]);
  },
);

toolTest('clients of orval send requests, and its schemas of zod take what the service responds', async () => {
  const output = { mode: 'single', baseUrl: server.url };
  const config = {
    fetch: { input: file, output: { ...output, target: 'orval-fetch.ts', client: 'fetch' } },
    zod: { input: file, output: { ...output, target: 'orval-zod.ts', client: 'zod' } },
  };
  write('orval.config.mjs', `export default ${JSON.stringify(config)};\n`);
  await tool('orval/dist/bin/orval.mjs', '--config', 'orval.config.mjs');
  write(
    'use-orval.ts',
    `import { batch, createLead, listEvents, listLeads } from './orval-fetch.ts';
import { BatchResponse, CreateLeadBody, ListEventsResponse, ListLeadsResponse } from './orval-zod.ts';
${connection()}const json = { headers: { ...headers, 'Content-Type': 'application/json' } };
const body = CreateLeadBody.parse({ lead_name: 'Ann' });
const created = await createLead(body, json);
const operations = [{ method: 'POST' as const, path: '/api/crm/lead', body: { lead_name: 'Bob' } }];
BatchResponse.parse((await batch({ operations }, json)).data);
const { data } = ListLeadsResponse.parse((await listLeads({ limit: 5 }, { headers })).data);
const events = ListEventsResponse.parse((await listEvents({ sort: '-number' }, { headers })).data);
console.log(JSON.stringify([created.status, data.length, Object.keys(events.data[0]!.changes).includes('lead_name')]));\n`,
  );
  await typeCheck('use-orval.ts');
  expect(await runProgram('use-orval.ts')).toEqual([201, expect.any(Number), true]);
});

toolTest('a client of hey-api compiles', async () => {
  await tool('@hey-api/openapi-ts/bin/run.js', '-i', file, '-o', 'hey-api', '-c', '@hey-api/client-fetch');
  write(
    'use-hey-api.ts',
    `import { batch, createLead, listLeads } from './hey-api';
export const requests = [
  createLead({ body: { lead_name: 'Ann' } }),
  listLeads({ query: { 'status[in]': ['Lead'], sort: ['-id'] } }),
  batch({ body: { operations: [{ method: 'POST', path: '/api/crm/lead', body: { lead_name: 'Bob' } }] } }),
];\n`,
  );
  await typeCheck('use-hey-api.ts');
});

toolTest(
  'each request of a Postman collection has an Idempotency-Key of its own, and a body that is valid',
  async () => {
    const required = createRequire(join(tools, 'package.json'));
    const { convertV2 } = required('openapi-to-postmanv2') as {
      convertV2: (
        input: object,
        options: object,
        done: (error: unknown, result: { output: readonly { data: object }[] }) => void,
      ) => void;
    };
    const newman = required('newman') as {
      run: (
        options: object,
        done: (error: unknown, summary: { run: { executions: readonly Execution[] } }) => void,
      ) => void;
    };
    interface Execution {
      readonly item: { readonly name: string };
      readonly response?: { readonly code: number; text: () => string };
    }
    const collection = await new Promise<object>((resolve, reject) => {
      convertV2({ type: 'string', data: text }, { parametersResolution: 'Example' }, (error, result) =>
        error ? reject(error as Error) : resolve(result.output[0]!.data),
      );
    });
    const envVar = Object.entries({ baseUrl: server.url, bearerToken: testKey }).map(([key, value]) => ({
      key,
      value,
    }));
    const executions = await new Promise<readonly Execution[]>((resolve, reject) => {
      newman.run({ collection, envVar, globalVar: envVar }, (error, summary) =>
        error ? reject(error as Error) : resolve(summary.run.executions),
      );
    });
    expect(executions.length).toBeGreaterThan(100);
    // The ids in examples are of no record, and some requests meet what an earlier one did.
    const failed = executions.filter(({ response }) => ![200, 201, 304, 404, 409].includes(response?.code ?? 0));
    expect(failed.map(({ item, response }) => `${item.name}: ${response?.text()}`)).toEqual([]);
    expect(executions.filter(({ response }) => response?.code === 201).length).toBeGreaterThan(5);
  },
);
