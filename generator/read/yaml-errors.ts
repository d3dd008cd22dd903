import { type Document, type ErrorCode, isCollection, isScalar, type Node, visit, type YAMLError } from 'yaml';

/** Offsets of the first character and of the one after the last. */
export type Span = readonly [start: number, end: number];

const quotes = 'put the text in quotes';
const align = 'give the line the indentation of those beside it';

/** Advice for each error of the YAML, unless one of `special` is better. */
const advice: Readonly<Record<ErrorCode, string>> = {
  ALIAS_PROPS: 'remove what stands before the alias',
  BAD_ALIAS: `if & or * belongs to a text, ${quotes}`,
  BAD_COLLECTION_TYPE: 'remove the tag',
  BAD_DIRECTIVE: `if % belongs to a text, ${quotes}; else remove the line`,
  BAD_DQ_ESCAPE: 'write \\\\ for a backslash, or put the text in single quotes',
  BAD_INDENT: align,
  BAD_PROP_ORDER: `if ! or & belongs to a text, ${quotes}`,
  BAD_SCALAR_START: quotes,
  BLOCK_AS_IMPLICIT_KEY: `if ": " belongs to a text, ${quotes}; else begin a new line`,
  BLOCK_IN_FLOW: 'write a comma between the entries, or close the bracket first',
  DUPLICATE_KEY: 'keep one of them',
  IMPOSSIBLE: quotes,
  KEY_OVER_1024_CHARS: 'shorten the key',
  MISSING_CHAR: quotes,
  MULTILINE_IMPLICIT_KEY: 'write a colon after each key, and indent the lines that continue a text',
  MULTIPLE_ANCHORS: 'keep one of them',
  MULTIPLE_DOCS: 'remove the line --- or ... before this',
  MULTIPLE_TAGS: 'keep one of them',
  NON_STRING_KEY: 'write the key in quotes',
  RESOURCE_EXHAUSTION: 'remove some of the brackets or levels',
  TAB_AS_INDENT: 'indent with spaces',
  TAG_RESOLVE_FAILED: `if ! belongs to a text, ${quotes}; else remove the tag`,
  UNEXPECTED_TOKEN: `if it belongs to a text, ${quotes}; else remove it`,
};

const special: readonly (readonly [message: RegExp, todo: string])[] = [
  [/^Missing closing 'quote/, "close the quote; a ' inside of single quotes is written ''"],
  [/^Missing closing "quote/, 'close the quote; a " inside of double quotes is written \\"'],
  [/^Implicit map keys need to be followed/, 'write a colon after the key'],
  [/^Missing , (?:between|or)/, 'write a comma between the items, and a text with a comma in quotes'],
  [/^Missing space after :/, 'write a space after the colon'],
  [/^Comments must be separated/, 'write a space before #, or put the text in quotes'],
  [/^Flow (?:map|sequence) .* and end with/, 'close the bracket, and indent what is inside of it'],
  [/^Unexpected , in|^Unexpected empty item/, 'remove one of the commas'],
  [/^Block scalars? with/, 'indent the lines of the text alike, with spaces'],
];

/** The sentences of the parser that do not say it for readers of a spec. */
const reworded: Readonly<Partial<Record<ErrorCode, string>>> = {
  MULTIPLE_DOCS: 'A spec file is one document',
  RESOURCE_EXHAUSTION: 'The file is nested too deeply',
};

const closedTooEarly =
  "a quote before it ends the text: put all of it in quotes, with '' for a ' inside of single ones";

/** An error of the YAML: its best location, and a message that says what to do. */
export function describeYamlError(error: YAMLError, document: Document, text: string): [Span, string] {
  const { code, pos, message } = error;
  const sentence = reworded[code] ?? message.split('\n')[0]?.replace(/\.$/, '') ?? '';
  const follows = message.startsWith('Unexpected scalar at node end') && /['"]\s*$/.test(text.slice(0, pos[0]));
  const span = bestSpan(error, document, text);
  const todo = follows
    ? closedTooEarly
    : (seenInText(message, text, span[0]) ?? special.find(([pattern]) => pattern.test(message))?.[1] ?? advice[code]);
  return [span, `YAML: ${sentence}; ${todo}`];
}

/** Advice that the text allows and the message does not. */
function seenInText(message: string, text: string, start: number): string | undefined {
  const before = text.slice(0, start);
  const inBrackets = before.slice(Math.max(before.lastIndexOf('{'), before.lastIndexOf('['), 0));
  if (/^Flow .* and end with/.test(message) && /\s#.*[\]}]/.test(inBrackets)) {
    return '# begins a comment, which hides the bracket that closes: put the text with # in quotes';
  }
  const isKey = /^[\w-]+:\S/.test(text.slice(start, start + 100));
  return isKey && message.startsWith('Implicit') ? 'write a space after the colon' : undefined;
}

function bestSpan({ code, pos, message }: YAMLError, document: Document, text: string): Span {
  if (message.startsWith('Missing closing')) return openedBefore(document, pos, 'QUOTE') ?? pos;
  if (text.slice(pos[0]).trim() === '') {
    const end = Math.max(text.trimEnd().length, 1);
    return openedBefore(document, pos, 'FLOW') ?? [end - 1, end];
  }
  return code === 'BAD_INDENT' ? indentedAt(pos, text) : pos;
}

/** The opening quote or bracket of what is never closed, which the parser reports at the end of the file. */
function openedBefore(document: Document, pos: Span, what: 'QUOTE' | 'FLOW'): Span | undefined {
  let span: Span | undefined;
  const check = (_: unknown, node: Node): void => {
    const { range } = node;
    const isOpened = isCollection(node) ? what === 'FLOW' && node.flow : isScalar(node) && node.type?.startsWith(what);
    if (isOpened && range && range[0] <= pos[0] && pos[0] <= range[2]) span = [range[0], range[0] + 1];
  };
  visit(document, { Scalar: check, Collection: check });
  return span;
}

/** The start of a wrong indentation, which the parser reports from the end of the line before. */
function indentedAt([start, end]: Span, text: string): Span {
  const skipped = /^\s*/.exec(text.slice(start))?.[0].length ?? 0;
  return start + skipped < end || skipped > 0 ? [start + skipped, Math.max(end, start + skipped + 1)] : [start, end];
}
