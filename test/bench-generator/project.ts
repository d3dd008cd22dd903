import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse, stringify } from 'yaml';

import { readSpecs } from '../../generator/read/spec-files.ts';
import { projectRoot } from '../bench/child.ts';

/** The part of a spec that the benchmark writes. */
interface WrittenSpec {
  readonly name?: string;
  readonly title?: string;
  readonly renamed_from?: unknown;
}

/** A project with a number of resources, and the generator of a checkout to run in it. It goes away with this process. */
export class BenchProject implements Disposable {
  readonly root: string;
  readonly resources: number;
  /** Paths of the resources' specs. */
  readonly specs: readonly string[];
  readonly #checkout: string;

  constructor(resources: number, checkout: string) {
    // Inside of the project, where imports find its packages.
    this.root = mkdtempSync(join(projectRoot, 'test/.tmp-bench-'));
    process.once('exit', () => this[Symbol.dispose]());
    this.resources = resources;
    this.#checkout = checkout;
    const specs = specsOf(resources);
    this.specs = [...specs.keys()].filter((path) => path !== 'spec/service.yaml');
    for (const [path, text] of specs) {
      mkdirSync(dirname(join(this.root, path)), { recursive: true });
      writeFileSync(join(this.root, path), text);
    }
    mkdirSync(join(this.root, 'node_modules'));
    symlinkSync(join(checkout, 'runtime'), join(this.root, 'runtime'));
  }

  /** The arguments for Node that an npm script of the checkout has, with more of them behind. */
  nodeArguments(script: string, ...more: readonly string[]): string[] {
    const { scripts } = JSON.parse(readFileSync(join(this.#checkout, 'package.json'), 'utf8')) as {
      scripts: Readonly<Record<string, string>>;
    };
    const words = (scripts[script] ?? '').split(' ');
    // The generated code is the project's own.
    const inCheckout = (word: string): string =>
      !word.startsWith('generated/') && existsSync(join(this.#checkout, word)) ? join(this.#checkout, word) : word;
    return [...words.slice(words.indexOf('node') + 1).map(inCheckout), ...more];
  }

  /** Removes what runs have left, as in a fresh clone. */
  clear(): void {
    for (const path of ['generated', 'node_modules/.cache']) {
      rmSync(join(this.root, path), { recursive: true, force: true });
    }
  }

  /** The lengths of the generated TypeScript files. */
  fileSizes(): number[] {
    const folder = join(this.root, 'generated');
    const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));
    return paths.map((path) => readFileSync(join(folder, path)).length);
  }

  [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** The specs of the tests' own service, repeated under other names until there are enough. */
export function specsOf(resources: number): Map<string, string> {
  const own = readSpecs(join(projectRoot, 'test/service'));
  const service = 'spec/service.yaml';
  const specs = new Map([[service, own.get(service) ?? '']]);
  own.delete(service);
  const originals = [...own].filter(([path]) => path.endsWith('.yaml'));
  // The rest of the number are resources that need no others.
  const simple = originals.filter(([, text]) => !/(?:resource|references|computed|default_from|that): /.test(text));
  for (let copy = 1; specs.size <= resources; copy += 1) {
    const room = resources + 1 - specs.size;
    for (const [path, text] of room < originals.length ? simple.slice(0, room) : originals) {
      specs.set(copy === 1 ? path : inArea(path, copy), copy === 1 ? text : renamed(path, text, copy));
    }
  }
  return specs;
}

const inArea = (path: string, copy: number): string => path.replace(/\/([^/]+\.yaml)$/, `-${copy}/$1`);

function renamed(path: string, text: string, copy: number): string {
  // A former name is the original's alone.
  const inCopy = text.replaceAll(/((?:resource|references|default_from): .*)/g, (keys) =>
    keys.replaceAll(/([a-z]+)\/(?=[a-z])/g, `$1-${copy}/`),
  );
  const { renamed_from: _, ...spec } = parse(inCopy) as WrittenSpec;
  const name = spec.name ?? path.replace(/^.*\/|\.yaml$/g, '').replaceAll('-', '_');
  return stringify({
    ...spec,
    name: `${name}_${copy}`,
    ...(spec.title !== undefined && { title: `${spec.title} ${copy}` }),
  });
}
