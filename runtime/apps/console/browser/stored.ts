/** The name of an item of the local storage: services that share an origin, and owners, have their own. */
const itemOf = (kind: string, owner: string | undefined): string =>
  [`console-${kind}`, location.pathname, ...(owner === undefined ? [] : [owner])].join(' ');

/** A value that this browser keeps; undefined if it keeps none. @param owner tells apart values of one kind */
export function readStored(kind: string, owner?: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(itemOf(kind, owner)) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

/** Keeps a value. @returns whether the browser lets the page keep anything */
export function store(value: unknown, kind: string, owner?: string): boolean {
  try {
    localStorage.setItem(itemOf(kind, owner), JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}
