import { format } from 'prettier';
import { type ImportDeclarationStructure, IndentationText, Project, QuoteKind, StructureKind } from 'ts-morph';
import { compare } from '../read/diagnostic.ts';
import { header, printWidth } from './header.ts';

/** An import: as a structure, or as formatted code where it takes several lines. */
type Import = ImportDeclarationStructure | string;

/** A TypeScript file: its source for the header, its imports, and groups of statements as formatted code. */
export interface TypeScriptFile {
  readonly source: string;
  readonly imports: readonly Import[];
  /** There is a blank line before each group. */
  readonly groups: readonly (readonly string[])[];
  /** False if the statements are still to be formatted; formatting takes longer than all else. */
  readonly isFormatted?: false;
}

/**
 * Prints TypeScript files, formatted. Imports that are the same are printed once, and all of them in one source file: ts-morph
 * parses each file again once it is printed.
 */
export function printFiles(files: readonly TypeScriptFile[]): Promise<string[]> {
  const structures = new Map<string, ImportDeclarationStructure>();
  const keyed = files.map(({ imports }) =>
    imports.map((statement) => {
      if (typeof statement === 'string') return statement;
      const key = JSON.stringify(statement);
      structures.set(key, statement);
      return key;
    }),
  );
  const lines = printImports([...structures.values()]);
  const printed = new Map([...structures.keys()].map((key, index) => [key, lines[index] ?? '']));
  const printOne = async ({ source, groups, isFormatted }: TypeScriptFile, index: number): Promise<string> => {
    const head = [header(source), ...(keyed[index] ?? []).map((statement) => printed.get(statement) ?? statement)];
    const text = `${[head, ...groups].map((statements) => statements.join('\n')).join('\n\n')}\n`;
    return isFormatted === false ? format(text, { parser: 'babel-ts', printWidth, singleQuote: true }) : text;
  };
  return Promise.all(files.map(printOne));
}

function printImports(statements: ImportDeclarationStructure[]): string[] {
  const project = new Project({
    useInMemoryFileSystem: true,
    manipulationSettings: { indentationText: IndentationText.TwoSpaces, quoteKind: QuoteKind.Single },
  });
  return project.createSourceFile('imports.ts', { statements }).getFullText().split('\n');
}

// By letter, capitals after small ones of the same letter.
const byName = (a: string, b: string): number =>
  compare(a.toLowerCase().replace(/^type /, ''), b.toLowerCase().replace(/^type /, '')) || compare(b, a);

/** An import of names, on one line where it fits or is of one name; `types` says that all of them are types. */
export function importOf(moduleSpecifier: string, names: Iterable<string>, { types = false } = {}): Import {
  const sorted = [...names].toSorted(byName);
  const keyword = types ? 'import type' : 'import';
  if (sorted.length > 1 && `${keyword} { ${sorted.join(', ')} } from '${moduleSpecifier}';`.length > printWidth) {
    return `${keyword} {\n${sorted.map((name) => `  ${name},\n`).join('')}} from '${moduleSpecifier}';`;
  }
  return { kind: StructureKind.ImportDeclaration, moduleSpecifier, namedImports: sorted, isTypeOnly: types };
}

/** An import of a whole module under one name. */
export const importAll = (moduleSpecifier: string, namespaceImport: string): Import => ({
  kind: StructureKind.ImportDeclaration,
  moduleSpecifier,
  namespaceImport,
});

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
