import type { Hooks } from '../model/model.ts';
import { hooksKeyOf, isHooksFile } from '../read/paths.ts';
import { type Affected, type ApiChange, breaking, type Difference, documented } from './change.ts';
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
 * The places in files of hooks that breaking changes may break: each is the first one in its file that names what changes.
 *
 * @param specs the files of the spec, by path
 */
export function placesInHooks(changes: readonly ApiChange[], specs: ReadonlyMap<string, string>): string[] {
  const files = [...specs].filter(([path]) => isHooksFile(path));
  return changes.flatMap(({ id, resource = '', verdict }) => {
    if (verdict === 'safe') return [];
    const [part = '', ...more] = id.slice(resource.length + 1).split('/');
    // The name of a transition may be a word of TypeScript: it is found as the text that `move` takes.
    const names: Readonly<Record<string, string | undefined>> = { list: more[1], transitions: `'${more[0]}'` };
    const name = more.length === 0 ? resource : (names[part] ?? part);
    return files.flatMap(([path, text]) => {
      const isAbout = hooksKeyOf(path) === resource || text.includes(`'${resource}'`);
      const at = isAbout ? text.search(new RegExp(String.raw`(?<!\w)${name}(?!\w)`)) : -1;
      if (at === -1) return [];
      const lines = text.slice(0, at).split('\n');
      const place = `${path}:${lines.length}:${(lines.at(-1) ?? '').length + 1}`;
      return [`${code(place)}: ${code(name)}${name === resource ? '' : ` of ${code(resource)}`}`];
    });
  });
}
