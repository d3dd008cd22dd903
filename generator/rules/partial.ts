import type { Node } from './parse.ts';

/** A value that is the same in every record; undefined if it is not known. */
type Known = number | boolean | string | null | undefined;

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
 * values are null. Undefined if it depends on a field whose value is not known, or is none of logic and sums.
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
      return /^(?:min|max)$/.test(node.args[0]) ? null : undefined;
    case '&&':
    case '||': {
      const [a, b] = node.args.map(of);
      const decisive = node.op === '||';
      if (a === decisive || b === decisive) return decisive;
      return a === undefined || b === undefined ? undefined : !decisive;
    }
    case '!_': {
      const value = of(node.args);
      return value === undefined ? undefined : !value;
    }
    case '?:': {
      const test = of(node.args[0]);
      if (test !== undefined) return of(node.args[test ? 1 : 2]);
      const [yes, no] = [of(node.args[1]), of(node.args[2])];
      return yes === no ? yes : undefined;
    }
    case '==':
    case '!=': {
      const [a, b] = node.args.map(of);
      return a === undefined || b === undefined ? undefined : (a === b) === (node.op === '==');
    }
    default: {
      const [a, b] = Array.isArray(node.args) ? (node.args as readonly Node[]).map(of) : [];
      if (typeof a !== 'number' || typeof b !== 'number') return undefined;
      return comparisons[node.op]?.(a, b) ?? arithmetic[node.op]?.(a, b);
    }
  }
}
