import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { Child, projectRoot } from './child.ts';
import { median } from './measure.ts';
import { serviceProgram } from './service.ts';
import { startFlags, startVariables } from './start-command.ts';
import { apiKey } from './traffic.ts';

export interface ServerOptions {
  readonly workers?: string | undefined;
  /** Whether it can be asked for its usage. */
  readonly observed?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  /** A file for what it prints, also its log; without it, there is no log. */
  readonly output?: string;
  /** A command that runs it. */
  readonly wrapper?: readonly string[];
}

/** Runs a command of the server's program over a database that no server has open, for its effect. */
export async function runCommand(databaseUrl: string, ...args: readonly string[]): Promise<void> {
  const env = { ...process.env, ...startVariables, DATABASE_URL: databaseUrl };
  await promisify(execFile)(process.execPath, [...startFlags, await serviceProgram(), ...args], {
    cwd: projectRoot,
    env,
  });
}

/** Starts the server that is measured, over a database. */
export async function startServer(databaseUrl: string, options: ServerOptions = {}): Promise<Child> {
  const { workers, observed = false, env, output, wrapper = [] } = options;
  const settings = {
    PORT: '0',
    HOST: '127.0.0.1',
    DATABASE_URL: databaseUrl,
    API_KEYS: apiKey,
    LOG_LEVEL: output === undefined ? 'silent' : 'info',
    ...(workers === undefined ? {} : { WORKERS: workers }),
  };
  return Child.start(await serviceProgram(), {
    env: { ...startVariables, ...settings, ...env },
    observed,
    flags: startFlags,
    output,
    wrapper,
  });
}

/**
 * Sends one request by other means than the load's, for its answer.
 *
 * @throws Error where that is not 200 or 201.
 */
export async function ask<T>(server: Child, path: string, method = 'GET', body?: object): Promise<T> {
  const response = await fetch(`http://127.0.0.1:${server.port}${path}`, {
    method,
    headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} was answered ${response.status}:\n${text}`);
  return JSON.parse(text) as T;
}

/** Starts and stops the server so many times. @returns median milliseconds from spawn to the first answer at a path. */
export async function timeStarts(count: number, path: string, databaseUrl: string, workers?: string): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < count; i++) {
    const begin = performance.now();
    const server = await startServer(databaseUrl, { workers });
    await ask(server, path);
    times.push(performance.now() - begin);
    await server.stop();
  }
  return median(times);
}
