import { builders } from 'prettier/doc';
import type { Code, Operator } from '../rules/code.ts';
import { array, call, type Expression, string } from './expression.ts';

const { conditionalGroup, fill, group, ifBreak, indent, line, softline } = builders;

/** Words of JavaScript, and what the printed functions use, that a field can be called. */
const taken = new Set(
  (
    'arguments await break case catch class const continue debugger default delete do else enum eval export extends false ' +
    'finally for function if implements import in instanceof interface let new null package private protected public return ' +
    'static super switch this throw true try typeof undefined var void while with yield ' +
    'time totals decimal finite integer quotient remainder matches size between day hour minute moved second logic'
  ).split(' '),
);

/** The variable of a field: no field ends in an underscore. */
export const variableOf = (name: string): string => (taken.has(name) ? `${name}_` : name);

const levels: Readonly<Record<Operator, number>> = {
  '||': 1,
  '&&': 2,
  '===': 3,
  '!==': 3,
  '<': 4,
  '<=': 4,
  '>': 4,
  '>=': 4,
  '+': 5,
  '-': 5,
  '*': 6,
  '/': 6,
};

type Binary = Extract<Code, { operator: Operator }>;

const isBinary = (code: Code): code is Binary => 'operator' in code;
const isLogical = ({ operator }: Binary): boolean => operator === '||' || operator === '&&';

/** Whether the formatter lays out a chain of both operators as one. */
const isOneChain = (outer: Operator, inner: Operator): boolean =>
  levels[outer] === levels[inner] && levels[outer] !== 3 && !(levels[outer] === 6 && outer !== inner);

/** Whether an operand needs brackets, or gets them by the formatter. */
function needsBrackets(outer: Operator, part: Code, isRight: boolean): boolean {
  if ('test' in part) return true;
  if (!isBinary(part)) return false;
  const inner = part.operator;
  if (levels[outer] !== levels[inner]) return levels[outer] > levels[inner] || (outer === '||' && inner === '&&');
  return isRight || !isOneChain(outer, inner);
}

/** The operands of a chain with its operators, as parts of one layout. */
function chain({ left, operator, right }: Binary, parent: Code | undefined): Expression[] {
  const before =
    isBinary(left) && isOneChain(operator, left.operator)
      ? chain(left, { left, operator, right })
      : [group(operand(operator, left, false))];
  const tail = [operator, line, operand(operator, right, true)];
  const kindOf = (code: Code | undefined): string =>
    code === undefined || !isBinary(code) ? '' : isLogical(code) ? 'logical' : 'binary';
  const own = isLogical({ left, operator, right }) ? 'logical' : 'binary';
  const isAlone = ![parent, left, right].some((code) => kindOf(code) === own);
  return [...before, ' ', isAlone ? group(tail) : tail];
}

function operand(outer: Operator, code: Code, isRight: boolean): Expression {
  const inner = printCode(code, { left: code, operator: outer, right: code });
  return needsBrackets(outer, code, isRight) ? ['(', inner, ')'] : inner;
}

/** A chain of operators; its later lines are indented where it is a part of something else. */
function binary(code: Binary, parent: Code | undefined): Expression {
  const parts = chain(code, parent);
  if (parent === undefined) return group(parts);
  if ('not' in parent || 'negative' in parent) return group([indent([softline, ...parts]), softline]);
  if ('test' in parent) return group(parts);
  if ('item' in parent) return group(parts);
  const [first = '', ...rest] = parts;
  return group([first, indent(rest)]);
}

/** A choice; all of a chain of them are opened together. */
function choice({ test, yes, no }: Extract<Code, { test: Code }>, code: Code, parent: Code | undefined): Expression {
  const isNested = 'test' in yes;
  /** A result behind its sign; those of another choice are indented by that. */
  const result = (one: Code): Expression => {
    const contents = printCode(one, code);
    return 'test' in one ? contents : ({ type: 'align', n: 2, contents } as Expression);
  };
  const parts = [
    printCode(test, code),
    indent([
      line,
      '? ',
      isNested ? ifBreak('', '(') : '',
      result(yes),
      isNested ? ifBreak('', ')') : '',
      line,
      ': ',
      result(no),
    ]),
  ];
  return parent && 'test' in parent && parent.test !== code ? parts : group(parts);
}

/** A list; numbers fill the lines. */
function list(items: readonly Code[]): Expression {
  const printed = items.map((item) => printCode(item));
  const isOfNumbers = items.length > 1 && items.every((item) => 'text' in item && /^-?\d/.test(item.text));
  if (!isOfNumbers) return array(printed);
  const parts = printed.flatMap((item, index) => (index === 0 ? [item] : [line, item]));
  const filled = parts.map((part, index) => (index % 2 === 0 && index < parts.length - 1 ? [part, ','] : part));
  return group(['[', indent([softline, fill(filled)]), ifBreak(',', ''), softline, ']']);
}

/** Behind the arrow of a function, on the next line where it does not fit. */
export function arrow(parameters: Expression, result: Code): Expression {
  const body = printCode(result, { item: '', result });
  if ('items' in result) return group([parameters, ' => ', body]);
  const inner = 'test' in result ? [ifBreak('', '('), body, ifBreak('', ')')] : body;
  return group([group(parameters), ' =>', group(indent([line, inner]))]);
}

/** A function as the argument of a call. One that is a call or a choice begins on the line of the outer call. */
function loopArgument(loop: Extract<Code, { item: string }>): Expression {
  const { item, result } = loop;
  const parameters = `(${variableOf(item)})`;
  const usual = printCode(loop);
  const isCall = 'call' in result || ('on' in result && result.args !== undefined);
  if (!isCall && !('test' in result)) return group(['(', indent([softline, usual]), ifBreak(',', ''), softline, ')']);
  const body = printCode(result, loop);
  const end = [ifBreak(',', ''), softline];
  const hugged = isCall
    ? group([parameters, ' =>', group([indent([line, body]), ...end])])
    : group([parameters, ' => ', group([ifBreak('', '('), indent([softline, body]), ifBreak('', ')'), ...end])]);
  return conditionalGroup([
    ['(', hugged, ')'],
    ['(', group(hugged, { shouldBreak: true }), ')'],
    group(['(', indent([line, usual]), ifBreak(',', ''), line, ')'], { shouldBreak: true }),
  ]);
}

/** Prints an expression. @param parent the expression that it is a part of */
export function printCode(code: Code, parent?: Code): Expression {
  if ('text' in code) return code.text;
  if ('string' in code) return string(code.string);
  if ('name' in code) return variableOf(code.name);
  if ('total' in code) return ['totals[', string(code.total), ']'];
  if ('call' in code)
    return call(
      code.call,
      code.args.map((arg) => printCode(arg, code)),
    );
  if ('on' in code) {
    const value = printCode(code.on, code);
    const isOpen = isBinary(code.on) || 'test' in code.on || 'negative' in code.on;
    const owner = isOpen ? ['(', value, ')'] : value;
    if (!code.args) return [owner, '.', code.member];
    const [first] = code.args;
    if (first && 'item' in first) return [owner, '.', code.member, loopArgument(first)];
    return call(
      [owner, '.', code.member],
      code.args.map((arg) => printCode(arg, code)),
    );
  }
  if ('items' in code) return list(code.items);
  if ('item' in code) return arrow(`(${variableOf(code.item)})`, code.result);
  if ('not' in code || 'negative' in code) {
    const [sign, inner] = 'not' in code ? ['!', code.not] : ['-', code.negative];
    const value = printCode(inner, code);
    return isBinary(inner) || 'test' in inner ? [sign, '(', value, ')'] : [sign, value];
  }
  if ('test' in code) return choice(code, code, parent);
  return binary(code, parent);
}
