import {
  IndentationText,
  Project,
  QuoteKind,
  type StatementStructures,
  StructureKind,
  type WriterFunction,
} from 'ts-morph';
import { compare } from '../diagnostic.ts';
import { printWidth } from '../width.ts';
import { header } from '../header.ts';

/** A statement: simple ones as structures, those of several lines as formatted code. */
export type Statement = StatementStructures | string;

const project = new Project({
  useInMemoryFileSystem: true,
  manipulationSettings: { indentationText: IndentationText.TwoSpaces, quoteKind: QuoteKind.Single },
});

/**
 * Prints a TypeScript file, formatted: the header, the imports, then groups of statements with a blank line between
 * two.
 */
export function printFile(
  path: string,
  source: string,
  imports: readonly Statement[],
  groups: readonly (readonly Statement[])[],
): string {
  const statements = groups.flatMap((group) => group.map((statement, index) => write(statement, index === 0)));
  const file = project.createSourceFile(
    path,
    { statements: [header(source), ...imports, ...statements] },
    { overwrite: true },
  );
  const text = file.getFullText();
  project.removeSourceFile(file);
  return text;
}

/** A statement as the printer takes it. Formatted code goes through a writer function: a string would be indented again. */
function write(statement: Statement, isFirst: boolean): StatementStructures | WriterFunction {
  if (typeof statement !== 'string') return statement;
  return (writer) => void writer.conditionalNewLine(isFirst).write(statement);
}

// By letter, capitals after small ones of the same letter.
const byName = (a: string, b: string): number =>
  compare(a.toLowerCase().replace(/^type /, ''), b.toLowerCase().replace(/^type /, '')) || compare(b, a);

/** An import of names, on one line where it fits; `types` says that all of them are types. */
export function importOf(moduleSpecifier: string, names: Iterable<string>, { types = false } = {}): Statement {
  const sorted = [...names].toSorted(byName);
  const keyword = types ? 'import type' : 'import';
  if (`${keyword} { ${sorted.join(', ')} } from '${moduleSpecifier}';`.length > printWidth) {
    return `${keyword} {\n${sorted.map((name) => `  ${name},\n`).join('')}} from '${moduleSpecifier}';`;
  }
  return { kind: StructureKind.ImportDeclaration, moduleSpecifier, namedImports: sorted, isTypeOnly: types };
}

/** The words of a text on lines of at most the print width, each behind the prefix. */
export function wrapped(text: string, prefix: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && `${last} ${word}`.length <= printWidth) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(prefix + word);
  }
  return lines;
}

/** A doc comment; `indent` is its indentation. */
export function docComment(text: string, indent = ''): string {
  const safe = text.replaceAll('*/', '*\\/').replaceAll(/\s+/g, ' ').trim();
  const oneLine = `${indent}/** ${safe} */`;
  if (oneLine.length <= printWidth) return oneLine;
  return [`${indent}/**`, ...wrapped(safe, `${indent} * `), `${indent} */`].join('\n');
}
