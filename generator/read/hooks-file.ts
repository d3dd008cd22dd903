import { ts } from 'ts-morph';
import type { Diagnostic, Location } from './diagnostic.ts';

/** A name in a file of hooks. */
interface Named {
  readonly name: string;
  readonly location: Location;
}

/** A code that hooks refuse with. */
interface Code extends Named {
  readonly meaning: string;
}

/** The exports of a file of hooks, and what cannot be read of it. */
export interface HooksFile {
  readonly path: string;
  /** All but `codes`. */
  readonly exports: readonly Named[];
  readonly codes: readonly Code[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads a file of hooks. It is only parsed: its types are checked with those of all other code. */
export const readHooksFile = (path: string, text: string): HooksFile => new HooksReader(path, text).read();

const byName = 'export each hook by its name, as export const beforeCreate = …';
const codesForm = "write export const codes = { too_many_loans: 'A member can have five loans.' }";

class HooksReader {
  readonly #path: string;
  readonly #text: string;
  readonly #source: ts.SourceFile;
  readonly #exports: Named[] = [];
  readonly #codes: Code[] = [];
  readonly #diagnostics: Diagnostic[] = [];

  constructor(path: string, text: string) {
    this.#path = path;
    this.#text = text;
    this.#source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  }

  read(): HooksFile {
    const { diagnostics: faults = [] } = ts.transpileModule(this.#text, { reportDiagnostics: true });
    for (const { start = 0, length = 1, messageText } of faults.slice(0, 1)) {
      this.#refuse(this.#location(start, start + length), ts.flattenDiagnosticMessageText(messageText, ' '));
    }
    for (const statement of this.#source.statements) this.#readStatement(statement);
    return { path: this.#path, exports: this.#exports, codes: this.#codes, diagnostics: this.#diagnostics };
  }

  #readStatement(statement: ts.Statement): void {
    if (ts.isExportDeclaration(statement)) return this.#readList(statement);
    if (ts.isExportAssignment(statement)) return this.#refuse(this.#locationOf(statement), byName);
    const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : [];
    const isExported = modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
    if (!isExported || ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) return;
    if (ts.isVariableStatement(statement)) {
      for (const declaration of statement.declarationList.declarations) this.#readVariable(declaration);
    } else this.#note((statement as ts.FunctionDeclaration).name ?? statement);
  }

  /** `export { beforeCreate } from './other.ts'` */
  #readList(statement: ts.ExportDeclaration): void {
    const { isTypeOnly, exportClause } = statement;
    if (isTypeOnly) return;
    if (!exportClause || !ts.isNamedExports(exportClause)) return this.#refuse(this.#locationOf(statement), byName);
    for (const { name, isTypeOnly: isType } of exportClause.elements) if (!isType) this.#note(name);
  }

  #readVariable({ name, initializer }: ts.VariableDeclaration): void {
    if (ts.isIdentifier(name) && name.text === 'codes') this.#readCodes(name, initializer);
    else this.#note(name);
  }

  #note(node: ts.Node): void {
    const location = this.#locationOf(node);
    if (ts.isIdentifier(node)) this.#exports.push({ name: node.text, location });
    else this.#refuse(location, byName);
  }

  #readCodes(name: ts.Identifier, initializer: ts.Expression | undefined): void {
    const object = withoutTypes(initializer);
    if (!object || !ts.isObjectLiteralExpression(object)) return this.#refuse(this.#locationOf(name), codesForm);
    for (const property of object.properties) {
      const meaning = ts.isPropertyAssignment(property) ? withoutTypes(property.initializer) : undefined;
      const key = property.name;
      const isName = key && (ts.isIdentifier(key) || ts.isStringLiteral(key));
      if (isName && meaning && ts.isStringLiteralLike(meaning)) {
        this.#codes.push({ name: key.text, location: this.#locationOf(key), meaning: meaning.text });
      } else this.#refuse(this.#locationOf(property), codesForm);
    }
  }

  #refuse(location: Location, message: string): void {
    this.#diagnostics.push({ ...location, severity: 'error', message });
  }

  #locationOf(node: ts.Node): Location {
    return this.#location(node.getStart(this.#source), node.end);
  }

  /** A part that begins and ends at these characters; of several lines, the first one. */
  #location(from: number, end: number): Location {
    // At the end of the file, nothing stands that could be shown.
    const start = Math.max(0, Math.min(from, this.#text.trimEnd().length - 1));
    const { line, character } = this.#source.getLineAndCharacterOfPosition(start);
    const [first = ''] = this.#text.slice(start, end).split('\n', 1);
    const column = character + 1;
    return { file: this.#path, line: line + 1, column, endColumn: column + Math.max(first.trimEnd().length, 1) };
  }
}

/** An expression without `as const`, `satisfies …` and parentheses. */
function withoutTypes(expression: ts.Expression | undefined): ts.Expression | undefined {
  const isWrapper =
    expression &&
    (ts.isAsExpression(expression) || ts.isSatisfiesExpression(expression) || ts.isParenthesizedExpression(expression));
  return isWrapper ? withoutTypes(expression.expression) : expression;
}
