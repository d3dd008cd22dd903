/** Facts about the values that may be null, at a place of an expression: whether they are. */
export type Facts = ReadonlyMap<string, 'null' | 'value'>;

export const nothing: Facts = new Map();

export const known = (name: string | undefined, fact: 'null' | 'value'): Facts =>
  name === undefined ? nothing : new Map([[name, fact]]);

/** The facts if both conditions hold, one after the other. */
export const both = (first: Facts, second: Facts): Facts => new Map([...first, ...second]);

/** The facts if one of the conditions holds, no matter which. */
export const either = (one: Facts, other: Facts): Facts =>
  new Map([...one].filter(([name, fact]) => other.get(name) === fact));
