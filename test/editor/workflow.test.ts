import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { projectRoot } from '../support/server.ts';

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly if?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

const read = (path: string): string => readFileSync(join(projectRoot, path), 'utf8');

const workflow = parse(read('.github/workflows/check.yml')) as {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions: unknown;
  readonly concurrency: unknown;
  readonly jobs: Readonly<Record<string, { readonly 'timeout-minutes': number; readonly steps: readonly Step[] }>>;
};
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
const jobs = Object.values(workflow.jobs);
const steps = jobs.flatMap((job) => job.steps);
const commands = steps.flatMap(({ run }) => run ?? []);

test('runs on pull requests and on the main branch, with the least that it needs', () => {
  expect(workflow.on).toEqual({ pull_request: null, push: { branches: ['main'] } });
  expect(workflow.permissions).toEqual({ contents: 'read' });
  expect(workflow.concurrency).toBeDefined();
  for (const job of jobs) expect(job['timeout-minutes']).toBeLessThanOrEqual(30);
});

test('every script that it runs is there', () => {
  const called = commands.flatMap((command) =>
    [...command.matchAll(/\bnpm run (?:-s )?(\S+)/g)].map(([, name]) => name!),
  );
  expect(called).toEqual(expect.arrayContaining(['changes', 'generate', 'check']));
  expect(commands).toContain('npm test');
  for (const name of [...called, 'test']) expect(scripts, `npm run ${name}`).toHaveProperty([name]);
});

test('actions are pinned to a major version, and nothing of the event is pasted into a command', () => {
  for (const { uses } of steps) if (uses !== undefined) expect(uses).toMatch(/^[\w-]+\/[\w-]+@v\d+$/);
  for (const command of commands) expect(command).not.toContain('${{');
});

test('every step reports, even if another one fails', () => {
  const installed = steps.findIndex(({ run }) => run?.startsWith('npm ci'));
  expect(installed).toBeGreaterThan(0);
  for (const step of steps.slice(installed + 1)) expect(step.if).toContain('!cancelled()');
});

test('a pull request gets the page of its changes, compared with the whole history', () => {
  const page = steps.find(({ run }) => run?.includes('npm run -s changes'));
  expect(page?.run).toContain('>> "$GITHUB_STEP_SUMMARY"');
  expect(page?.if).toContain("github.event_name == 'pull_request'");
  expect(steps.find(({ uses }) => uses?.startsWith('actions/checkout@'))?.with).toMatchObject({ 'fetch-depth': 0 });
});
