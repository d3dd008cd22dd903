/** What is known at a place of an expression of the values that may be null: whether they are. */
export type Facts = ReadonlyMap<string, 'null' | 'value'>;

export const nothing: Facts = new Map();

export const known = (name: string | undefined, fact: 'null' | 'value'): Facts =>
  name === undefined ? nothing : new Map([[name, fact]]);

/** What is known if both hold, one after the other. */
export const both = (first: Facts, second: Facts): Facts => new Map([...first, ...second]);

/** What is known if one of them holds, no matter which. */
export const either = (one: Facts, other: Facts): Facts =>
  new Map([...one].filter(([name, fact]) => other.get(name) === fact));
