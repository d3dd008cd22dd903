import { join, relative } from 'node:path';
import { ts } from 'ts-morph';
import { generate } from '../generate.ts';
import type { Hooks } from '../model/model.ts';
import { isHooksFile } from '../read/hooks-file.ts';
import { folders } from '../read/paths.ts';
import { type Affected, breaking, type Difference, documented } from './change.ts';
import { code, escaped } from './markdown.ts';
import type { ResourcePair } from './pairs.ts';

/** The clients whose writes a hook can refuse. */
const writersBy: Readonly<Record<string, Affected>> = { beforeCreate: 'creators', beforeUpdate: 'updaters' };

function writersOf(hooks: Hooks | undefined): readonly Affected[] {
  const before = hooks?.exports.filter((name) => name.startsWith('before')) ?? [];
  return [...new Set(before.map((name) => writersBy[name] ?? 'callers'))];
}

/** Compares the codes that the hooks of a resource refuse writes with: a new one may refuse what was accepted. */
export function compareHooks({ before, after }: ResourcePair): Difference[] {
  const [was, is] = [before.hooks?.codes ?? {}, after.hooks?.codes ?? {}];
  const removed = Object.keys(was).filter((name) => !(name in is));
  return [
    ...removed.map((name) => {
      const message = `Hooks no longer refuse writes with ${code(name)}: typed clients that compare with it do not compile.`;
      return breaking(`hooks/${name}/removed`, ['typed clients'], message);
    }),
    ...Object.entries(is).flatMap(([name, meaning]) => {
      if (was[name] === meaning) return [];
      if (was[name] !== undefined) return [documented(`hooks/${name}`, `The meaning of ${code(name)}`)];
      const message = `Hooks refuse writes with 422 ${code(name)}, ${escaped(JSON.stringify(meaning))}.`;
      return [breaking(`hooks/${name}/added`, writersOf(after.hooks), message)];
    }),
  ];
}

/**
 * The errors of the compiler in files of hooks, with the code that is generated for a spec: each as `file:line:column: message`.
 *
 * @param root the project
 */
export function brokenHooks(root: string, specs: ReadonlyMap<string, string>): string[] {
  const { files } = generate(specs);
  const hooks = [...specs.keys()].filter(isHooksFile).map((path) => join(root, path));
  if (hooks.length === 0) return [];
  const generated = new Map([...files].map(([path, text]) => [join(root, folders.generated, path), text]));
  const found = ts.findConfigFile(root, ts.sys.fileExists);
  const written = found === undefined ? {} : (ts.readConfigFile(found, ts.sys.readFile).config as object);
  const { options } = ts.parseJsonConfigFileContent({ ...written, files: [] }, ts.sys, root);
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile } = host;
  host.fileExists = (path) => generated.has(path) || fileExists(path);
  host.readFile = (path) => generated.get(path) ?? readFile(path);
  const program = ts.createProgram(hooks, options, host);
  return hooks.flatMap((path) => {
    const source = program.getSourceFile(path);
    return program.getSemanticDiagnostics(source).map(({ start = 0, messageText }) => {
      const { line = 0, character = 0 } = source?.getLineAndCharacterOfPosition(start) ?? {};
      const [message = ''] = ts.flattenDiagnosticMessageText(messageText, '\n').split('\n', 1);
      return `${relative(root, path)}:${line + 1}:${character + 1}: ${message}`;
    });
  });
}
