import { referenceKey } from '../../runtime/kernel/model/table.ts';
import type { Code } from '../rules/code.ts';

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

const listed = (codes: readonly Code[]): string => codes.map(printCode).join(', ');

/** Prints an expression. Each part that may need brackets has them: the formatter removes those that it does not need. */
export function printCode(code: Code): string {
  if ('text' in code) return code.text;
  if ('string' in code) return JSON.stringify(code.string);
  if ('name' in code) return variableOf(code.name);
  if ('reference' in code) return `${variableOf(referenceKey(code.reference))}.${code.field}`;
  if ('total' in code) return `totals[${JSON.stringify(code.total)}]`;
  if ('call' in code) return `${code.call}(${listed(code.args)})`;
  if ('on' in code) {
    const member = `(${printCode(code.on)}).${code.member}`;
    return code.args ? `${member}(${listed(code.args)})` : member;
  }
  if ('items' in code) return `[${listed(code.items)}]`;
  if ('item' in code) return `(${variableOf(code.item)}) => ${printCode(code.result)}`;
  if ('not' in code) return `!(${printCode(code.not)})`;
  if ('negative' in code) return `-(${printCode(code.negative)})`;
  if ('test' in code) return `(${printCode(code.test)}) ? (${printCode(code.yes)}) : (${printCode(code.no)})`;
  return `(${printCode(code.left)}) ${code.operator} (${printCode(code.right)})`;
}
