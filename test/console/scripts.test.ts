import { expect, test } from 'vitest';

import { linkModule } from '../../runtime/apps/console/linked-module.ts';
import { consoleScripts } from '../../runtime/apps/console/scripts.ts';
import { service } from '../service/generated/app.ts';

/** Links a module whose imports are constants named like them. */
const link = (source: string): ReturnType<typeof linkModule> =>
  linkModule('$m', source, (specifier) => `$${specifier.replaceAll(/\W/g, '')}`);

/** The exports of a module, when others have given theirs. */
const run = (source: string, others: Readonly<Record<string, unknown>> = {}): unknown =>
  // The code of a linked module is made to be run as a part of a larger one.
  // oxlint-disable-next-line no-new-func
  new Function(...Object.keys(others), `${link(source).code}return $m`)(...Object.values(others)) as unknown;

test('a module becomes a constant with its exports', () => {
  const source = `
import { a, b as c } from './one.js';
import * as all from './one.js';
import {
  type,
} from "./two.js";
const hidden = 1;
export const sum = a + c + all.a + type;
export function twice(n) { return n * 2 }
export async function later() { return hidden }
export class Box {}
export { hidden as shown };
`;
  expect(link(source).imports).toEqual(['$onejs', '$onejs', '$twojs']);
  expect(run(source, { $onejs: { a: 1, b: 2 }, $twojs: { type: 4 } })).toEqual({
    sum: 8,
    twice: expect.any(Function) as unknown,
    later: expect.any(Function) as unknown,
    Box: expect.any(Function) as unknown,
    shown: 1,
  });
});

test('modules of packages are linked, which a program has made short', () => {
  expect(run('import{o as n}from"p";var t=n;export{t as x,n as y};', { $p: { o: 3 } })).toEqual({ x: 3, y: 3 });
  expect(run('import e from"p";var m=e(1);export{m as html};', { $p: { default: (n: number) => n + 1 } })).toEqual({
    html: 2,
  });
  expect(run('export{h,r as q}from"p";export * from "q"', { $p: { h: 1, r: 2 }, $q: { z: 3 } })).toEqual({
    h: 1,
    q: 2,
    z: 3,
  });
  expect(run('var n=2;export default function(){return n}')).toEqual({ default: expect.any(Function) as unknown });
});

test.for(['export let a = 1;', 'export const { a } = b;', "import './side-effect.js';", 'export const [a] = [1];'])(
  'a module is refused that cannot be a constant: %s',
  (source) => {
    expect(() => link(source)).toThrow(source.slice(0, 12));
  },
);

test('each module is in one script, and scripts have what others import of them', () => {
  const scripts = new Map(consoleScripts(service.tables).map(({ name, code }) => [name, code()]));
  const made = [...scripts.values()].flatMap((code) =>
    [...code.matchAll(/^const (\$\w+)=\(\(\)=>\{/gm)].map(([, name]) => name),
  );
  expect(made.length).toBeGreaterThan(100);
  expect(new Set(made).size).toBe(made.length);
  const exportsOf = (path: string, name: string): readonly string[] => {
    const other = scripts.get(new URL(path, `file:///${name}`).pathname.slice(1)) ?? '';
    const [, exported = ''] = /^export\{([^}]+)\};$/m.exec(other) ?? [];
    return exported.split(',');
  };
  for (const [name, code] of scripts) {
    // A script is a program but for its first and last lines.
    expect(
      () => new Function(code.replaceAll(/^(?:import|export)\{.*$/gm, '').replaceAll('import.meta', 'null')),
      name,
    ).not.toThrow();
    for (const [, path = '', constant] of code.matchAll(/\bimport\('([^']+)'\)\.then\(\(script\)=>script\.([$\w]+)\)/g))
      expect(exportsOf(path, name), `${path} in ${name}`).toContain(constant);
    for (const [, list = '', path = ''] of code.matchAll(/^import\{([^}]+)\}from'([^']+)';$/gm)) {
      expect(exportsOf(path, name), `${path} in ${name}`).toEqual(expect.arrayContaining(list.split(',')));
    }
  }
});
