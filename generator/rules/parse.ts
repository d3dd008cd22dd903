import { type ASTNode, Environment, ParseError } from '@marcbachmann/cel-js';
import { quoted } from '../read/words.ts';

export type Node = ASTNode;

/** A part of an expression by its offsets. */
export type Span = readonly [start: number, end: number];

interface Fault {
  readonly span: Span;
  readonly message: string;
}

/** The longest expression: longer ones are several rules. */
const maxExpressionLength = 1_000;

const environment = new Environment({ limits: { maxDepth: 50, maxListElements: 100 } });

/** The operators of other languages. */
const operators: Readonly<Record<string, string>> = {
  '=': '==',
  '===': '==',
  '<>': '!=',
  '!==': '!=',
  '=>': '>=',
  '=<': '<=',
  '=~': 'x.matches("…")',
  like: 'x.matches("…")',
  between: 'a <= x && x <= b',
  is: '==',
  and: '&&',
  '&': '&&',
  or: '||',
  '|': '||',
  not: '!',
  '??': 'x == null ? … : x',
  where: 'count(orders, orders.status == "open")',
};

/** The operator of another language at a place or right before it, and its span. */
function foreignOperator(text: string, at: number): { readonly span: Span; readonly word: string } | undefined {
  for (const { index, 0: word } of text.matchAll(/[=<>!&|?~]+|[A-Za-z]\w*/g)) {
    const span: Span = [index, index + word.length];
    const isNear = index <= at && text.slice(span[1], at).trim() === '';
    if (isNear && Object.hasOwn(operators, word.toLowerCase())) return { span, word };
  }
  return undefined;
}

/** The fault of a text that is no expression, in our own words. */
function faultOf(text: string, { code, range }: ParseError): Fault {
  const { start, end } = range ?? { start: 0, end: text.length };
  const foreign = foreignOperator(text, start);
  if (foreign) {
    const { span, word } = foreign;
    return { span, message: `${quoted(word)} is no operator of CEL; write ${operators[word.toLowerCase()]}` };
  }
  const part = text.slice(start, end);
  if (start >= text.trimEnd().length) {
    const last = Math.max(text.trimEnd().length - 1, 0);
    return { span: [last, last + 1], message: 'the expression ends too early: something is missing behind this' };
  }
  const span: Span = [start, end];
  if (code.startsWith('unterminated')) return { span, message: `the text in quotes has no end: ${quoted(part)}` };
  if (code === 'newline_in_string') return { span, message: 'a text in quotes ends on its line' };
  if (code === 'reserved_identifier')
    return { span, message: `${part} is a word that CEL keeps for itself; a rule cannot name a field of that name` };
  if (code === 'limit_exceeded')
    return { span, message: 'the expression is nested too deeply; make several rules of it' };
  if (code === 'invalid_macro_argument')
    return { span, message: 'write a name for one value, then what holds for it: all(tag, size(tag) < 10)' };
  if (/escape|surrogate/.test(code))
    return { span, message: `${quoted(part)} is no escape; a backslash is written \\\\` };
  if (/number|integer|exponent/.test(code)) return { span, message: `${quoted(part)} is no number` };
  return { span, message: `${quoted(part)} is not expected here` };
}

/** An expression on one line. The spaces in its texts are values. */
export const onOneLine = (expression: string): string =>
  expression
    .trim()
    .replaceAll(/("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|\s+/g, (_, text: string | undefined) => text ?? ' ');

/** Parses an expression of CEL. */
export function parseExpression(text: string): Node | Fault {
  if (text.length > maxExpressionLength) {
    const message = `the expression is longer than ${maxExpressionLength} characters; make several rules of it`;
    return { span: [maxExpressionLength, text.length], message };
  }
  try {
    return environment.parse(text).ast;
  } catch (error) {
    if (error instanceof ParseError) return faultOf(text, error);
    throw error;
  }
}
