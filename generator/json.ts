import { printWidth } from './width.ts';

/** Plain JSON data. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** Whether a value is a mapping of YAML or an object of JSON. */
export const isMapping = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

// Lists of names and fields grow: with one on each line, an addition is easy to review.
const isList = (key: string | undefined, value: Json): boolean =>
  typeof value === 'object' && value !== null && (key === 'properties' || (key === 'required' && Array.isArray(value)));

/** Objects that several documents have at the same place, and the texts of those that are printed already. */
export type PrintedTexts = WeakMap<object, string | undefined>;

/**
 * Prints JSON for reviewers: a small value that fits is on one line, as is every field and every name of a `required`
 * list, so that a new field adds one line in each place.
 *
 * @param texts takes the texts of the objects in it, and gives them to the next document
 */
export const printJson = (value: Json, texts: PrintedTexts = new WeakMap()): string =>
  new JsonPrinter(texts).print(value, '');

/** Prints one document. Each part is laid out on one line once: its time grows with the length of the document alone. */
class JsonPrinter {
  readonly #texts: PrintedTexts;
  readonly #oneLines = new Map<object, string | undefined>();

  constructor(texts: PrintedTexts) {
    this.#texts = texts;
  }

  print(value: Json, indent: string, key?: string, ofField = false): string {
    if (typeof value !== 'object' || value === null) return JSON.stringify(value);
    const text = this.#texts.get(value) ?? this.#layOut(value, indent, key, ofField);
    if (this.#texts.has(value)) this.#texts.set(value, text);
    return text;
  }

  #layOut(value: object, indent: string, key: string | undefined, ofField: boolean): string {
    const oneLine = isList(key, value as Json) ? undefined : this.#oneLineOf(value as Json);
    const before = indent.length + (key === undefined ? 0 : key.length + 4);
    if (oneLine !== undefined && (ofField || before + oneLine.length + 1 <= printWidth)) return oneLine;
    const inner = `${indent}  `;
    const lines = Array.isArray(value)
      ? value.map((item: Json) => inner + this.print(item, inner))
      : Object.entries(value).map(
          ([name, item]) =>
            `${inner}${JSON.stringify(name)}: ${this.print(item as Json, inner, name, key === 'properties')}`,
        );
    const [open, close] = Array.isArray(value) ? '[]' : '{}';
    return `${open}\n${lines.join(',\n')}\n${indent}${close}`;
  }

  /** The value on one line; undefined where a list in it takes several. */
  #oneLineOf(value: Json): string | undefined {
    if (typeof value !== 'object' || value === null) return JSON.stringify(value);
    if (this.#oneLines.has(value)) return this.#oneLines.get(value);
    const oneLine = Array.isArray(value)
      ? this.#arrayOnOneLine(value as readonly Json[])
      : this.#objectOnOneLine(value);
    this.#oneLines.set(value, oneLine);
    return oneLine;
  }

  // Strings are added and not joined: an engine then keeps the parts, and copies their characters once, at the end.
  #arrayOnOneLine(items: readonly Json[]): string | undefined {
    let text = '';
    for (const item of items) {
      const oneLine = this.#oneLineOf(item);
      if (oneLine === undefined) return undefined;
      text += text === '' ? oneLine : `, ${oneLine}`;
    }
    return `[${text}]`;
  }

  #objectOnOneLine(value: object): string | undefined {
    let text = '';
    for (const [key, item] of Object.entries(value) as [string, Json][]) {
      const oneLine = isList(key, item) ? undefined : this.#oneLineOf(item);
      if (oneLine === undefined) return undefined;
      text += `${text === '' ? '' : ', '}${JSON.stringify(key)}: ${oneLine}`;
    }
    return text === '' ? '{}' : `{ ${text} }`;
  }
}
