import { hash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import { compare } from '../read/diagnostic.ts';
import { entriesUnder } from '../read/files.ts';
import { folders } from '../read/paths.ts';
import type { GeneratedTree } from './generated-files.ts';
import type { Report } from './report.ts';

/** The generator's own code; it uses some of the runtime's. */
const ownFolders = ['..', '../../runtime'].map((folder) => join(import.meta.dirname, folder));

/**
 * The last run that left `generated/` up to date: its report, and a digest of everything that the report depends on. It is kept
 * in `node_modules/.cache`; a fresh clone, or a project without `node_modules`, has none.
 */
export class LastRun {
  readonly #modules: string;
  readonly #file: string;
  readonly #generator = generatorDigest();

  constructor(root: string) {
    this.#modules = join(root, 'node_modules');
    this.#file = join(this.#modules, '.cache/last-generate.json');
  }

  /** The report of the last run; undefined if anything has changed since then, or the file is damaged. */
  reportFor(specs: ReadonlyMap<string, string>, tree: GeneratedTree): Report | undefined {
    try {
      const { digest, report } = JSON.parse(readFileSync(this.#file, 'utf8')) as { digest: unknown; report: Report };
      return digest === this.#digestOf(specs, tree, report) ? report : undefined;
    } catch {
      return undefined;
    }
  }

  /** Keeps the report of a run that has left this tree. If that is not possible, as on a read-only disk, the next run takes longer. */
  keep(specs: ReadonlyMap<string, string>, tree: GeneratedTree, report: Report): void {
    // An edit of the generator during the run may have been loaded, or not.
    if (!existsSync(this.#modules) || generatorDigest() !== this.#generator) return;
    try {
      mkdirSync(dirname(this.#file), { recursive: true });
      writeFileSync(this.#file, JSON.stringify({ digest: this.#digestOf(specs, tree, report), report }));
    } catch {
      // The next run takes longer.
    }
  }

  #digestOf(specs: ReadonlyMap<string, string>, { files, rest, staging }: GeneratedTree, report: Report): string {
    const listed = [folders.generated, digestOf(specs), digestOf(files), rest, staging, report];
    return hash('sha256', JSON.stringify([this.#generator, ...listed]));
  }
}

/** A digest of texts by path, whatever their order: a path or text cannot pass for another, as each has its length before it. */
const digestOf = (texts: ReadonlyMap<string, string>): string =>
  hash(
    'sha256',
    [...texts]
      .toSorted(([a], [b]) => compare(a, b))
      .map(([path, text]) => `${path.length} ${path}${text.length} ${text}`)
      .join(''),
  );

/** The digest of the generator: its code, the versions of its packages, and Node. */
function generatorDigest(): string {
  const files = ownFolders.flatMap((folder) =>
    entriesUnder(folder)
      .filter((entry) => entry.isFile() && /\.[jt]s$/.test(entry.name))
      .map(({ parentPath, name }) => join(parentPath, name)),
  );
  const manifest = findPackageJSON(import.meta.url) ?? '';
  const { dependencies } = JSON.parse(readFileSync(manifest, 'utf8')) as {
    dependencies: Readonly<Record<string, string>>;
  };
  const packages = Object.keys(dependencies).flatMap((name) => findPackageJSON(name, import.meta.url) ?? []);
  const texts = [...files, manifest, ...packages].map((path): [string, string] => [path, readFileSync(path, 'utf8')]);
  return hash('sha256', process.version + digestOf(new Map(texts)));
}
