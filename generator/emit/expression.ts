import type { Doc } from 'prettier';
import { builders, printer } from 'prettier/doc';
import { type Argument, Call, Constant } from '../model/calls.ts';
import { printWidth } from './header.ts';

const { conditionalGroup, group, hardline, ifBreak, indent, join, line, softline } = builders;

/**
 * A piece of TypeScript that can be laid out on one line or several. Prettier's own printer lays it out, so that
 * the output is formatted already.
 */
export type Expression = Doc;

/** Lays out an expression; the lines after the first are indented relative to where it begins. */
export const print = (expression: Expression): string =>
  printer.printDocToString(expression, { printWidth, tabWidth: 2, useTabs: false, endOfLine: 'lf' } as never).formatted;

/** A string literal in single quotes, unless it has more of those than of double ones. */
export function string(value: string): string {
  const singles = value.split("'").length;
  const doubles = value.split('"').length;
  const quote = singles > doubles ? '"' : "'";
  const escaped = JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"');
  return quote + escaped.replaceAll(quote, `\\${quote}`) + quote;
}

/** A number as the formatter writes it: without the sign of a positive exponent. */
const numeral = (value: number): string => String(value).replace('e+', 'e');

/** Data, and calls in it, as an expression. */
export function literal(value: Argument): Expression {
  if (typeof value === 'string') return string(value);
  if (typeof value === 'number') return numeral(value);
  if (typeof value !== 'object' || value === null || value instanceof RegExp) return String(value);
  if (value instanceof Call) return callExpression(value);
  if (value instanceof Constant) return value.name;
  if (Array.isArray(value)) return array((value as readonly Argument[]).map(literal), isOnSeveralLines(value));
  return object(mapValues(value as Readonly<Record<string, Argument>>, literal));
}

/** The values of an object as expressions; undefined stays. */
export const mapValues = <V>(
  values: Readonly<Record<string, V | undefined>>,
  map: (value: V) => Expression,
): Record<string, Expression | undefined> =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, value === undefined ? undefined : map(value)]));

/** A call of a field helper. Types are reached through one import: one that is new to a file changes no other line. */
function callExpression({ helper, args, wrapped, isNamed }: Call): Expression {
  const isWrapper = wrapped !== undefined;
  const last = args.at(-1);
  // Beside the field, a wrapper takes a value. Prettier opens objects and lists behind other arguments, but no lists of numbers.
  const canOpen = Array.isArray(last)
    ? !last.every((value) => typeof value === 'number')
    : last?.constructor === Object;
  const hugLast = !isWrapper || canOpen;
  return call(isNamed ? helper : `field.${helper}`, args.map(literal), { hugLast });
}

/** Whether Prettier gives each item of an array a line of its own: several objects, each with several keys. */
const isOnSeveralLines = (items: readonly Argument[]): boolean =>
  items.length > 1 && items.every((item) => item?.constructor === Object && Object.keys(item).length > 1);

const trailingComma = ifBreak(',', '');

const bracketed = (open: string, inner: Doc, space: Doc, close: string, shouldBreak = false): Doc =>
  group([open, indent([space, inner]), trailingComma, space, close], { shouldBreak });

export const array = (items: readonly Expression[], isOpen = false): Expression =>
  bracketed('[', join([',', line], [...items]), softline, ']', isOpen);

/** A key of an object, in quotes where it is no identifier. */
export const propertyKey = (key: string): string => (/^[a-z_]\w*$/i.test(key) ? key : string(key));

/** An object literal without what is undefined: on one line where it fits, if `open` does not keep it on several. */
export function object(values: Readonly<Record<string, Expression | undefined>>, { open = false } = {}): Expression {
  const properties = join(
    [',', open ? hardline : line],
    Object.entries(values).flatMap(([key, value]) => (value === undefined ? [] : [[propertyKey(key), ': ', value]])),
  );
  return open ? ['{', indent([hardline, properties]), ',', hardline, '}'] : bracketed('{', properties, line, '}');
}

/** A call. The last argument stays on the line of the call if it can be opened there: an object or an array. */
export function call(name: Expression, args: readonly Expression[], { hugLast = false } = {}): Expression {
  if (args.length === 0) return [name, '()'];
  const all = [name, bracketed('(', join([',', line], [...args]), softline, ')')];
  if (!hugLast) return all;
  const list = (open: boolean): Doc => [
    name,
    '(',
    join(
      ', ',
      args.map((arg, index) => (index === args.length - 1 ? group(arg, { shouldBreak: open }) : arg)),
    ),
    ')',
  ];
  return conditionalGroup([list(false), list(true), group(all, { shouldBreak: true })]);
}

/** A type, or the function of a call, with type arguments; a single name stays on its line. */
export function typeArguments(name: string, ...args: readonly Expression[]): Expression {
  const [first] = args;
  if (first === undefined) return name;
  if (args.length === 1 && typeof first === 'string' && /^\w+$/.test(first)) return `${name}<${first}>`;
  return group([`${name}<`, indent([softline, join([',', line], [...args])]), softline, '>']);
}

/** The type of an object. */
export const objectType = (types: Readonly<Record<string, Expression>>): Expression => {
  const members = Object.entries(types).map(([key, type]) => [propertyKey(key), ': ', type]);
  return group(['{', indent([line, join([';', line], members)]), ifBreak(';', ''), line, '}']);
};

/** A union of types, as the argument of another type. */
export const union = (types: readonly Expression[]): Expression =>
  group([ifBreak('| ', ''), join([line, '| '], [...types])]);

/** A union of types behind a colon. */
export const ownUnion = (types: readonly Expression[]): Expression =>
  types.length === 1 ? [' ', ...types] : group(indent([line, union(types)]));

/** A type with its name. Only one with several arguments is opened behind the equals sign. */
export const typeAlias = (name: string, type: Expression): Expression =>
  typeof type === 'string' ? [assignment(`export type ${name}`, type), ';'] : [`export type ${name} = `, type, ';'];

/** Code that stands so many columns from the left. */
export const aligned = (n: number, contents: Expression): Expression => [' '.repeat(n), { type: 'align', n, contents }];

/** A text as a value: on the next line where it does not fit behind the name. */
export const assignment = (name: string, value: Expression): Expression => group([`${name} =`, indent([line, value])]);
