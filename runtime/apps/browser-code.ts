import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The extension of modules for browsers: that of the sources, or in the installed package that of the built ones. */
export const moduleExtension = extname(fileURLToPath(import.meta.url));

/** Comments that take whole lines. */
const comments = /^[ \t]*(?:\/\*\*[\s\S]*?\*\/|\/\/.*)[ \t]*$/gm;

/** Indentation, and spaces at the ends of lines, where types were. */
const outerSpaces = /^[ \t]+|[ \t]+$/gm;

function withoutTypes(source: string): string {
  const { emitWarning } = process;
  // Users need not know that it is experimental: the tests notice if it changes.
  process.emitWarning = () => {};
  try {
    return stripTypeScriptTypes(source);
  } finally {
    process.emitWarning = emitWarning;
  }
}

/**
 * The JavaScript of a module for browsers: without the types of a source, and without comments, which would be a fifth of what
 * is sent. The code that is left stays on its lines, which lose their indentation: so do texts of several lines.
 */
export function browserCode(file: URL): string {
  const source = readFileSync(file, 'utf8');
  const code = file.pathname.endsWith('.ts') ? withoutTypes(source) : source;
  return code.replaceAll(comments, (comment) => comment.replaceAll(/[^\n]/g, '')).replaceAll(outerSpaces, '');
}
