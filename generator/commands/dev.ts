import { type ChildProcess, spawn } from 'node:child_process';
import { watch } from 'node:fs';
import { join } from 'node:path';
import { Generator } from '../generate.ts';
import { readSpecs } from '../spec-files.ts';
import { hasErrors, reports } from './report.ts';
import { update } from './update.ts';

/** Editors save a file in several steps: changes within this many milliseconds are one save. */
const oneSave = 10;

const root = process.cwd();
const generator = new Generator();

/** The running server. */
let server: ChildProcess | undefined;
let stopping = false;

/** Generates: `valid` says whether the files match the spec now, and `changed` whether some were written or removed. */
function regenerate(): { valid: boolean; changed: boolean } {
  const specs = readSpecs(root);
  const report = { ...update(root, specs, generator).report, foreign: [] };
  reports.text(report, specs);
  const { blocked, written, removed } = report;
  return { valid: !hasErrors(report) && blocked.length === 0, changed: written.length + removed.length > 0 };
}

function start(): void {
  const child = spawn(process.execPath, [join(root, 'generated/server.ts'), '--show-key'], { stdio: 'inherit' });
  server = child;
  child.on('exit', (code) => {
    if (server !== child) return;
    server = undefined;
    if (stopping) process.exit(0);
    console.error(`The server exited with code ${code}; it restarts when a spec is saved.`);
  });
}

function stop(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });
}

async function restart(): Promise<void> {
  const old = server;
  server = undefined;
  if (old) await stop(old);
  start();
}

let running: Promise<void> | undefined;
let again = false;

/** Follows a save: one at a time, and at most one more waits. */
async function follow(): Promise<void> {
  if (running) {
    again = true;
    return;
  }
  do {
    again = false;
    const { valid, changed } = regenerate();
    running = valid && (changed || !server) && !stopping ? restart() : Promise.resolve();
    await running;
  } while (again);
  running = undefined;
}

async function end(): Promise<void> {
  stopping = true;
  if (server) await stop(server);
  process.exit(0);
}

process.on('SIGINT', () => void end());
process.on('SIGTERM', () => void end());

let timer: NodeJS.Timeout | undefined;
watch(join(root, 'spec'), { recursive: true }, () => {
  clearTimeout(timer);
  timer = setTimeout(() => void follow(), oneSave);
});

if (regenerate().valid) start();
else console.error('Waiting for the spec to be fixed.');
