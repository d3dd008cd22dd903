import { join } from 'node:path';
import * as prettier from 'prettier';

import { projectRoot } from '../support/server.ts';

const settings = prettier.resolveConfig(join(projectRoot, 'runtime/index.ts'));

/** The text as the project's formatter prints it. */
export async function formatted(path: string, text: string): Promise<string> {
  const options = await settings;
  if (options?.printWidth !== 120) throw new Error('The settings of the formatter have not been found.');
  return prettier.format(text, { ...options, filepath: path });
}

// Lines that cannot be broken: a string of JSON after its key, the default of a column, the expression of a rule, the export or
// import of a single name.
const unbreakable = [
  /^ *(?:"[^"]+": )?[{[]? ?(?:"[^"]+": \[?)?"(?:[^"\\]|\\.)*"[\]} ]*,?$/,
  /^ {2}"\w+" text default '(?:[^']|'')*',?$/,
  /^ *(?:that|when): (?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"),$/,
  /^(?:ex|im)port (?:type )?\{ \w+ \} from '[^']+';$/,
  /^export type \* from '[^']+';$/,
];

/** The lines of a generated file that are over 120, or 160 in the OpenAPI document, and need not be. */
export const longLines = (path: string, text: string): string[] =>
  text
    .split('\n')
    .filter((line) => line.length > (path.endsWith('openapi.json') ? 160 : 120))
    .filter((line) => !unbreakable.some((shape) => shape.test(line)))
    .map((line) => `${path}: ${line}`);
