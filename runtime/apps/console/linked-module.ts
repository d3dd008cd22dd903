/** A module as a constant of a larger file: its imports are constants of the same kind, and its code has a scope of its own. */
export interface LinkedModule {
  /** The constant that has its exports. */
  readonly name: string;
  /** Constants of the modules that it imports, in this order. */
  readonly imports: readonly string[];
  /** The statement that makes the constant. */
  readonly code: string;
}

/** `import { a, b as c } from`, `import a from` and `import * as a from`, in the source of people and of minifiers. */
const imports = /(?<=^|[;\n])import\s*(?:\{([^}]*)\}|\*\s*as\s+([\w$]+)|([\w$]+))\s*from\s*(["'])([^"']+)\4;?/g;

/** `export { a, b as c } from` and `export * from`. */
const forwarded = /(?<=^|[;\n])export\s*(?:\{([^}]*)\}|\*)\s*from\s*(["'])([^"']+)\2;?/g;

/** `export { a, b as c }`. */
const listed = /(?<=^|[;}\n])export\s*\{([^}]*)\};?/g;

/** `export const a`, `export function a` and the like: not `let`, as what other modules have would not change with it. */
const declared = /^export (?=(?:const|(?:async )?function\*?|class) ([\w$]+))/gm;

const byDefault = /(?<=^|[;\n])export default /g;

/** Statements that are left are of a form that is not known here. */
const unknown = /(?:^|[;}])(?:export[\s{*]|import[\s{*"']).*/m;

/** Pairs of names, of a list like `a, b as c`. */
const namesIn = (list: string): readonly (readonly [string, string])[] =>
  list.split(',').flatMap((item) => {
    const [name, alias = name] = item.trim().split(/\s+as\s+/);
    return name ? [[name, alias ?? name] as const] : [];
  });

/**
 * Makes a constant of a module.
 *
 * @param name of the constant
 * @param source its JavaScript; a dynamic import in it stays as it is
 * @param constantOf the constant of the module that a specifier names
 * @throws Error if it has imports or exports of a form that is not known
 */
export function linkModule(name: string, source: string, constantOf: (specifier: string) => string): LinkedModule {
  const imported: string[] = [];
  const importOf = (specifier: string): string => {
    const constant = constantOf(specifier);
    imported.push(constant);
    return constant;
  };
  const exported: string[] = [];
  const body = source
    .replace(imports, (_, list: string | undefined, all: string | undefined, one = '', __, specifier) => {
      const constant = importOf(specifier as string);
      if (all) return `const ${all}=${constant};`;
      const names = list === undefined ? [`default:${one}`] : namesIn(list).map(([from, to]) => `${from}:${to}`);
      return `const{${names.join()}}=${constant};`;
    })
    .replace(forwarded, (_, list: string | undefined, __, specifier: string) => {
      const constant = importOf(specifier);
      if (list === undefined) exported.push(`...${constant}`);
      else exported.push(...namesIn(list).map(([from, to]) => `${to}:${constant}.${from}`));
      return '';
    })
    .replace(listed, (_, list: string) => {
      exported.push(...namesIn(list).map(([from, to]) => `${to}:${from}`));
      return '';
    })
    .replace(declared, (_, local: string) => {
      exported.push(local);
      return '';
    })
    .replace(byDefault, () => {
      exported.push('default:$default');
      return `const $default=`;
    });
  const [left] = unknown.exec(body) ?? [];
  if (left !== undefined) throw new Error(`A file of the console cannot hold ${name}, which has the statement ${left}`);
  return { name, imports: imported, code: `const ${name}=(()=>{${body.trim()}\nreturn{${exported.join()}}})();` };
}
