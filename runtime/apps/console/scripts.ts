import type { Table } from '../../kernel/model/table.ts';
import { linkModule, type LinkedModule } from './linked-module.ts';
import { entrySources, type Source, sourceFor } from './sources.ts';

/** A file of JavaScript that holds modules of the console. */
export interface Script {
  /** Its path below that of the console. */
  readonly name: string;
  /** Its JavaScript. All scripts are made when one is first asked for. */
  code(): string;
}

/** The script of modules that several scripts need, but not the first one. */
const shared = 'shared';

/** An older tab loads scripts of a newer version: it works if they need no more of its own scripts than is there, under the same names. */
const constantOf = ({ name }: Source): string => `$${name.replaceAll(/\W/g, '_')}`;

/** The relative URL of the path of the console, in a script. */
const upFrom = (script: string): string => '../'.repeat(script.split('/').length - 1) || './';

/** A relative URL of a script, in another one. */
const pathTo = (script: string, from: string): string => `${upFrom(from)}${script}.js`;

/** `import('./name.ts')` */
const loadedLater = /\bimport\((['"])(\.[^'"]+)\1\)/g;

/** The modules of all scripts. */
class Modules {
  /** The constants of all modules, each behind those that it needs. */
  readonly #all = new Set<string>();
  readonly #sources = new Map<string, Source>();
  readonly #linked = new Map<string, LinkedModule>();
  /** The script of each constant: the first one, that of the only entry that needs it, or the one that is shared. */
  readonly #scripts = new Map<string, string>();

  constructor(entries: readonly Source[]) {
    for (const entry of entries) {
      for (const constant of this.#load(entry)) {
        this.#all.add(constant);
        const before = this.#scripts.get(constant);
        if (before !== entries[0]?.name) this.#scripts.set(constant, before === undefined ? entry.name : shared);
      }
    }
  }

  /** The constant of a module. @throws Error if another module has the same one */
  #add(source: Source): string {
    const constant = constantOf(source);
    const { file } = this.#sources.getOrInsert(constant, source);
    if (file.href !== source.file.href)
      throw new Error(`${file.href} and ${source.file.href} would both be ${constant}.`);
    return constant;
  }

  /** The constants that a module needs, other than by `import()`, and its own: each behind those that it needs. Lint refuses imports in a circle. */
  #load(source: Source, found = new Set<string>()): Set<string> {
    const constant = this.#add(source);
    if (found.has(constant)) return found;
    const { imports } = this.#linked.getOrInsertComputed(constant, () =>
      linkModule(constant, source.read(source.file), (specifier) => this.#add(sourceFor(specifier, source))),
    );
    for (const other of imports) this.#load(this.#sources.get(other) as Source, found);
    return found.add(constant);
  }

  /** The statement of a module, which loads others by the scripts that they are in. */
  #statement(constant: string, script: string): string {
    const source = this.#sources.get(constant) as Source;
    const { code } = this.#linked.get(constant) as LinkedModule;
    // A template names a script by its path below that of the console.
    return code
      .replaceAll('import(`./', `import(\`${upFrom(script)}`)
      .replaceAll(loadedLater, (_, __, specifier: string) => {
        const target = constantOf(sourceFor(specifier, source));
        const other = this.#scripts.get(target);
        if (other === undefined) throw new Error(`${source.name} loads ${specifier}, which has to begin a script.`);
        return `import('${pathTo(other, script)}').then((script)=>script.${target})`;
      });
  }

  /** The JavaScript of a script. */
  code(script: string): string {
    const own = [...this.#all].filter((constant) => this.#scripts.get(constant) === script);
    const imported = new Set(own.flatMap((constant) => this.#linked.get(constant)?.imports ?? [])).difference(
      new Set(own),
    );
    const imports = [...Map.groupBy(imported, (constant) => this.#scripts.get(constant) as string)].map(
      ([other, constants]) => `import{${constants.join()}}from'${pathTo(other, script)}';`,
    );
    const exported = own.map((constant) =>
      this.#sources.get(constant)?.name === script ? `${constant},${constant} as default` : constant,
    );
    return [
      ...imports,
      ...own.map((constant) => this.#statement(constant, script)),
      `export{${exported.join()}};`,
    ].join('\n');
  }
}

/** The scripts of the console: its own modules, those of packages that they use, and the rules of tables that have any. */
export function consoleScripts(tables: readonly Table[]): readonly Script[] {
  const entries = entrySources(tables);
  let modules: Modules | undefined;
  return [...entries.map(({ name }) => name), shared].map((name) => {
    let code: string | undefined;
    return { name: `${name}.js`, code: () => (code ??= (modules ??= new Modules(entries)).code(name)) };
  });
}
