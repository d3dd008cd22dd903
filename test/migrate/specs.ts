import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { generate } from '../../generator/generate.ts';
import type { Service } from '../../runtime/kernel/api/service.ts';
import { Command, type CommandOptions, type End } from '../server/command.ts';
import { runInProcess } from '../server/in-process.ts';
import { projectRoot, startServer, testKey, type TestServer } from '../support/server.ts';
import { yamlOf } from '../support/yaml.ts';

const about = { name: 'things', title: 'Things', doc: 'Keeps things.', version: '1.0.0', license: 'MIT' };

/** Resources by their keys, like `crm/company`, as a spec writes them. */
export type Resources = Readonly<Record<string, object>>;

/** Generated services of several versions of a spec, gone with their scope. */
export class Versions implements Disposable {
  readonly #folder = mkdtempSync(join(projectRoot, 'test/.tmp-versions-'));

  /** Generates the services. */
  static async of(versions: Readonly<Record<string, Resources>>): Promise<Versions> {
    const all = new Versions();
    await all.#generate(versions);
    return all;
  }

  async #generate(versions: Readonly<Record<string, Resources>>): Promise<void> {
    for (const [version, resources] of Object.entries(versions)) {
      const texts = Object.entries(resources).map(([key, data]) => [`spec/${key}.yaml`, yamlOf(data)] as const);
      const { files, diagnostics } = await generate(new Map([['spec/service.yaml', yamlOf(about)], ...texts]));
      if (diagnostics.length > 0) throw new Error(`Version ${version} has errors: ${JSON.stringify(diagnostics)}`);
      for (const [path, text] of files) {
        const target = join(this.#generated(version), path);
        mkdirSync(dirname(target), { recursive: true });
        writeFileSync(target, text);
      }
      symlinkSync(join(projectRoot, 'runtime'), join(this.#folder, version, 'runtime'));
    }
  }

  #generated(version: string): string {
    return join(this.#folder, version, 'generated');
  }

  /** Starts a server of a version, in a process that may have served before. */
  start(version: string, env: Record<string, string>): Promise<TestServer> {
    return startServer({ project: join(this.#folder, version), env });
  }

  /** Starts a server of a version, or another of its commands, in a process of its own. */
  command(version: string, env: CommandOptions['env'], ...args: string[]): Command {
    const settings = { PORT: '0', API_KEYS: testKey, MIGRATE: undefined, ...env };
    return new Command(process.execPath, [join(this.#generated(version), 'server.ts'), ...args], { env: settings });
  }

  /** Runs `migrate` of a version to its end, without a process. */
  async migrate(version: string, env: Readonly<Record<string, string>>, ...args: string[]): Promise<End> {
    const { service } = (await import(join(this.#generated(version), 'app.ts'))) as { service: Service };
    return runInProcess(service, env, 'migrate', ...args);
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Sends a request with the key. */
export async function ask(
  url: string,
  method: string,
  path: string,
  body?: object,
  more: Readonly<Record<string, string>> = {},
): Promise<{ status: number; body: Record<string, unknown> }> {
  const headers = { authorization: `Bearer ${testKey}`, ...(body && { 'content-type': 'application/json' }), ...more };
  const response = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}
