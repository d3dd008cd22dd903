import type { Node } from './parse.ts';

/** A division by zero. */
export interface ZeroDivision {
  readonly divisor: Node;
}

/** A value that is the same in every record; undefined if it is not known. */
type Known = number | boolean | string | null | ZeroDivision | undefined;

export const isZeroDivision = (value: Known): value is ZeroDivision => typeof value === 'object' && value !== null;

/** The values of names, as far as they are known. */
type Names = (name: string) => Known;

const comparisons: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
};

const arithmetic: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
};

/**
 * The value of an expression in a record without line items, whose sums and counts are 0, and whose smallest and largest
 * values are null, or the division by zero that it ends in. Undefined if it depends on a field whose value is not known, or is
 * none of logic and sums.
 */
export function valueWithoutItems(node: Node, names: Names): Known {
  const of = (part: Node): Known => valueWithoutItems(part, names);
  switch (node.op) {
    case 'value':
      return typeof node.args === 'bigint' ? Number(node.args) : (node.args as Known);
    case 'id':
      return names(node.args);
    case 'call':
      if (/^(?:sum|count)$/.test(node.args[0])) return 0;
      return /^(?:min|max)$/.test(node.args[0]) ? null : node.args[1].map(of).find(isZeroDivision);
    case '&&':
    case '||': {
      const [a, b] = node.args.map(of);
      const decisive = node.op === '||';
      // The second part is not reached if the first one decides.
      if (a === decisive || isZeroDivision(a)) return a;
      if (b === decisive) return decisive;
      if (a === undefined || b === undefined) return undefined;
      return isZeroDivision(b) ? b : !decisive;
    }
    case '!_': {
      const value = of(node.args);
      return value === undefined || isZeroDivision(value) ? value : !value;
    }
    case '-_': {
      const value = of(node.args);
      return typeof value === 'number' ? -value : isZeroDivision(value) ? value : undefined;
    }
    case '?:': {
      const test = of(node.args[0]);
      if (isZeroDivision(test)) return test;
      if (test !== undefined) return of(node.args[test ? 1 : 2]);
      const [yes, no] = [of(node.args[1]), of(node.args[2])];
      return yes === no || (isZeroDivision(yes) && isZeroDivision(no)) ? yes : undefined;
    }
    case '==':
    case '!=': {
      const [a, b] = node.args.map(of);
      if (isZeroDivision(a)) return a;
      if (a === undefined || b === undefined || isZeroDivision(b)) return isZeroDivision(b) ? b : undefined;
      return (a === b) === (node.op === '==');
    }
    default: {
      const parts = Array.isArray(node.args) ? (node.args as readonly Node[]) : [];
      const values = parts.map(of);
      const [a, b] = values;
      const failed = values.find(isZeroDivision);
      if (failed) return failed;
      const [, divisor] = parts;
      // A zero that is written there is refused with the types.
      if (/^[/%]$/.test(node.op) && b === 0 && divisor && divisor.op !== 'value') return { divisor };
      if (typeof a !== 'number' || typeof b !== 'number') return undefined;
      return comparisons[node.op]?.(a, b) ?? arithmetic[node.op]?.(a, b);
    }
  }
}
