import { createHash, type Hash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import { compare } from '../read/diagnostic.ts';
import { filesUnder } from '../read/files.ts';
import type { GeneratedTree } from './generated-files.ts';

/** The packages that the generator imports: another version of one may generate other files. */
export const packages = ['fastest-levenshtein', 'prettier', 'ts-morph', 'yaml', 'zod'] as const;

/** The packages that ts-morph prints with. */
const printers = ['@ts-morph/common', 'code-block-writer'] as const;

/** The folders of the generator's own code, of which it also takes the runtime's. */
const ownFolders = ['..', '../../runtime'].map((path) => join(import.meta.dirname, path));

/**
 * The last run of the generator that left `generated/` up to date, as a digest of all that it depends on: the spec, the
 * generator with its packages, and the contents of `generated/`. It is kept in `node_modules/.cache`, and only there: a
 * project without that folder has no last run, and neither has a fresh clone.
 */
export class LastRun {
  readonly #file: string;
  readonly #hasFolder: boolean;
  readonly #generator = generatorDigest();

  constructor(root: string) {
    const modules = join(root, 'node_modules');
    this.#hasFolder = existsSync(modules);
    this.#file = join(modules, '.cache/generated-digest');
  }

  /**
   * The result of the last run, where nothing has changed since then; else undefined, also where what was kept of it is
   * damaged or comes from elsewhere.
   */
  resultFor(specs: ReadonlyMap<string, string>, tree: GeneratedTree): unknown {
    try {
      const kept = readFileSync(this.#file, 'utf8');
      const lineEnd = kept.indexOf('\n');
      const result = kept.slice(lineEnd + 1);
      return kept.slice(0, lineEnd) === this.#digestOf(specs, tree, result) ? JSON.parse(result) : undefined;
    } catch {
      return undefined;
    }
  }

  /**
   * Keeps the result of a run that has left these contents. If that fails, as on a read-only disk, the next run
   * takes longer.
   */
  keep(specs: ReadonlyMap<string, string>, tree: GeneratedTree, result: unknown): void {
    // Modules may have been loaded after an edit that came after the digest.
    if (!this.#hasFolder || generatorDigest() !== this.#generator) return;
    const text = JSON.stringify(result);
    try {
      mkdirSync(dirname(this.#file), { recursive: true });
      writeFileSync(this.#file, `${this.#digestOf(specs, tree, text)}\n${text}`);
    } catch {
      // A result that is not kept only makes the next run slower.
    }
  }

  /** The digest covers the result too: what is half written is not taken for one. */
  #digestOf(specs: ReadonlyMap<string, string>, { files, rest, staging }: GeneratedTree, result: string): string {
    const hash = createHash('sha256').update(this.#generator);
    addAll(hash, specs);
    addAll(hash, files);
    addAll(hash, new Map(Object.entries({ rest: JSON.stringify([rest, staging]), result })));
    return hash.digest('hex');
  }
}

/** Adds contents by path to a digest, whatever their order, such that no others give the same bytes. */
function addAll(hash: Hash, contents: ReadonlyMap<string, Uint8Array | string>): void {
  hash.update(`${contents.size}\n`);
  for (const [path, content] of [...contents].toSorted(([a], [b]) => compare(a, b))) {
    hash.update(`${JSON.stringify(path)} ${Buffer.byteLength(content)}\n`).update(content);
  }
}

/** The package.json of a package as the module or package at a URL or path finds it. */
const packageFile = (name: string, from: string): string => findPackageJSON(name, from) ?? '';

/** The digest of the generator: its code, its packages and Node. */
function generatorDigest(): string {
  const hash = createHash('sha256').update(process.version);
  for (const folder of ownFolders) {
    addAll(hash, new Map(filesUnder(folder).map((path) => [path, readFileSync(join(folder, path))])));
  }
  const own = packages.map((name) => packageFile(name, import.meta.url));
  const ofPrinter = printers.map((name) => packageFile(name, packageFile('ts-morph', import.meta.url)));
  addAll(hash, new Map([...own, ...ofPrinter].map((file, index) => [String(index), readFileSync(file)])));
  return hash.digest('hex');
}
