import type { Document, Operation, Schema } from '../../document/document.ts';
import type { Random } from '../../support/random.ts';
import { hostileValue, valueOf } from './values.ts';

/** A request that was made up. */
export interface Fuzzed {
  readonly method: string;
  readonly target: string;
  readonly body: string | undefined;
  readonly mediaType: string | undefined;
  /** The operation that it is one of; undefined where the document has no word on it. */
  readonly operation: Operation | undefined;
}

const bodyOf = ({ bodies }: Operation): Schema | undefined => bodies[0]?.[1];

const isBatch = (path: string): boolean => path.endsWith('/batch');

/** The value of a body, or its text if it is not JSON. */
function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

/** Makes up requests from a document: right ones, and ones that something is wrong with. */
export class Fuzzer {
  /** Ids that there are, or were. */
  readonly ids: string[] = ['none'];
  readonly #document: Document;
  readonly #random: Random;

  constructor(document: Document, random: Random) {
    this.#document = document;
    this.#random = random;
  }

  next(operation = this.#random.of(this.#document.operations)): Fuzzed {
    const random = this.#random;
    const isOff = (probability: number): boolean => random.chance(probability);
    const id = isOff(0.05) ? this.#hostileText() : random.of(this.ids);
    const path = operation.path.replace(/\{\w+\}/, encodeURIComponent(id.toWellFormed()));
    const isOther = isOff(0.03);
    const method = isOther ? random.of(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD']) : operation.method;
    const hasBody = bodyOf(operation) !== undefined && method !== 'GET' && method !== 'HEAD';
    const mediaType = isOff(0.02) ? 'text/plain' : 'application/json';
    return {
      method,
      target: `${path}${this.#query(operation)}`,
      body: hasBody ? this.#body(operation) : undefined,
      mediaType: hasBody ? mediaType : undefined,
      operation: isOther || method === 'HEAD' ? undefined : operation,
    };
  }

  #hostileText(): string {
    const value = hostileValue(this.#random);
    // Longer ones are refused by their length.
    return (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 500);
  }

  #query(operation: Operation): string {
    const random = this.#random;
    const search = new URLSearchParams();
    for (const { name, schema, in: place } of operation.parameters) {
      if (place === 'path') continue;
      if (name === 'parent_id' ? random.chance(0.02) : random.chance(0.7)) continue;
      const value = /^(after|parent_id)$/.test(name) ? random.of(this.ids) : valueOf(this.#document, schema, random);
      search.append(name, random.chance(0.1) ? this.#hostileText() : String(value));
    }
    if (random.chance(0.02)) search.append(this.#hostileText(), this.#hostileText());
    const text = search.toString();
    return text === '' ? '' : `?${text}`;
  }

  /** Operations of a batch, with ids of records that there are and of those that it makes. */
  #operations(): unknown[] {
    const random = this.#random;
    const writes = this.#document.operations.filter(({ method, path }) => method !== 'GET' && !isBatch(path));
    return Array.from({ length: 1 + random.below(5) }, (_, place) => {
      const { method, target, body } = this.next(random.of(writes));
      const path = random.chance(0.3)
        ? target.replace(/(?<=\/)\w+_\w{26}/, `{result:${random.below(place + 1)}}`)
        : target;
      return { method, path, ...(body !== undefined && { body: parsed(body) }) };
    });
  }

  #body(operation: Operation): string {
    const random = this.#random;
    const schema = bodyOf(operation) ?? {};
    const body = valueOf(this.#document, schema, random) as Record<string, unknown>;
    if (isBatch(operation.path)) body['operations'] = this.#operations();
    // Ids are to be found, but not always.
    for (const name of Object.keys(body))
      if (/(^|_)id$/.test(name) && random.chance(0.7)) body[name] = random.of(this.ids);
    const names = [
      ...Object.keys(schema.properties ?? {}),
      'id',
      'created_at',
      'unknown',
      '__proto__',
      this.#hostileText(),
    ];
    for (
      let n = random.weighted({ 0: 6, 1: 3, 2: 1, 5: 1 } as Record<string, number>) as unknown as number;
      n > 0;
      n--
    ) {
      Object.defineProperty(body, random.of(names), {
        value: hostileValue(random),
        enumerable: true,
        configurable: true,
      });
    }
    const text = JSON.stringify(body);
    if (!random.chance(0.05)) return text;
    const at = random.below(text.length);
    return `${text.slice(0, at)}${random.of(['', ',', '"', '{', '[', '\\', '1e999', '\u0000', '/**/'])}${text.slice(at + random.below(3))}`;
  }
}
