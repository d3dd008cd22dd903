/** A regular expression, as texts are searched for it. */
export interface Pattern {
  readonly source: string;
  /** Whether a part of the text matches. */
  test(text: string): boolean;
}

/** The engine of the platform backtracks, for which only the user of a browser or of a client waits. */
let compile = (source: string): Pattern => {
  const expression = new RegExp(source, 'u');
  return { source, test: (text) => expression.test(text) };
};

/** Compiles patterns in another way from now on, as servers do. */
export const usePatterns = (compilePattern: typeof compile): void => {
  compile = compilePattern;
};

/** A regular expression of ECMAScript with the flag `u`. @throws SyntaxError if it is none */
export const patternOf = (source: string): Pattern => compile(source);
