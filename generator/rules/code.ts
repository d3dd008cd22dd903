/** Operators of the printed code. */
export type Operator = '||' | '&&' | '===' | '!==' | '<' | '<=' | '>' | '>=' | '+' | '-' | '*' | '/';

/** A TypeScript expression, as data: the model holds it, and an emitter prints it. */
export type Code =
  /** A number, a constant, or the name of one. */
  | { readonly text: string }
  | { readonly string: string }
  /** A field of the record, or a value of a list in a loop. */
  | { readonly name: string }
  | { readonly total: string }
  /** A field of the record that a reference names. */
  | { readonly reference: string; readonly field: string }
  | { readonly call: string; readonly args: readonly Code[] }
  /** A method of a value, or without arguments a property. */
  | { readonly on: Code; readonly member: string; readonly args?: readonly Code[] }
  | { readonly left: Code; readonly operator: Operator; readonly right: Code }
  | { readonly not: Code }
  | { readonly negative: Code }
  | { readonly test: Code; readonly yes: Code; readonly no: Code }
  | { readonly items: readonly Code[] }
  | { readonly item: string; readonly result: Code };

export const code = (text: string | number): Code => ({ text: String(text) });

export const textCode = (value: string): Code => ({ string: value });

/** A call of a helper of the runtime, or of one of its functions, as in `decimal.add`. */
export const call = (name: string, ...args: readonly Code[]): Code => ({ call: name, args });

/** A chain of `&&` or of `||` is one of two operands each, of which the left one is the chain before. */
export const binary = (left: Code, operator: Operator, right: Code): Code =>
  (operator === '&&' || operator === '||') && 'operator' in right && right.operator === operator
    ? binary(binary(left, operator, right.left), operator, right.right)
    : { left, operator, right };

const opposites: { readonly [operator in Operator]?: Operator } = { '===': '!==', '!==': '===' };

/** The expression that is true if the other one is false. */
export function negated(expression: Code): Code {
  if ('not' in expression) return expression.not;
  if ('test' in expression) return { ...expression, yes: negated(expression.yes), no: negated(expression.no) };
  if ('operator' in expression) {
    const operator = opposites[expression.operator];
    if (operator) return { ...expression, operator };
  }
  return { not: expression };
}

const operandsOf = (expression: Code): readonly Code[] =>
  Object.values(expression).flatMap((value: unknown) =>
    typeof value === 'object' ? (value as Code | readonly Code[]) : [],
  );

/** All expressions in one, and itself. */
export const allIn = (expression: Code): Code[] => [expression, ...operandsOf(expression).flatMap(allIn)];

/** The expression with other names of fields. @param nameOf a field, which may be one of the record that a reference names */
export const renamed = (expression: Code, nameOf: (name: string, reference?: string) => string): Code =>
  JSON.parse(JSON.stringify(expression), (key, value: unknown) => {
    if (key === 'name') return nameOf(String(value));
    const read = value as Code | null;
    if (typeof read !== 'object' || read === null || !('reference' in read)) return value;
    return { reference: nameOf(read.reference), field: nameOf(read.field, read.reference) };
  }) as Code;
