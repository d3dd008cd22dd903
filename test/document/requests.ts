import * as fc from 'fast-check';
import type { Document, Operation, Parameter, Schema } from './document.ts';

/** Values of each format, beside those that fast-check makes. */
const formatted: Readonly<Record<string, fc.Arbitrary<string>>> = {
  date: dates().map((date) => date.toISOString().slice(0, 10)),
  'date-time': fc
    .tuple(dates(), fc.constantFrom('Z', '+02:00', '-09:30'))
    .map(([date, offset]) => date.toISOString().replace('Z', offset)),
  time: dates().map((date) => date.toISOString().slice(11)),
  uuid: fc.uuid(),
  email: fc.emailAddress(),
  uri: fc.webUrl(),
};

function dates(): fc.Arbitrary<Date> {
  return fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });
}

/** Any characters but lone surrogates, which no schema excludes in a way that all tools read. */
const anyText = fc.string({ unit: 'binary', maxLength: 30 });

function strings({ not, ...schema }: Schema): fc.Arbitrary<string> {
  const texts = ofForm(schema);
  return not ? texts.filter((text) => !new RegExp(not.pattern, 'u').test(text)) : texts;
}

function ofForm({ format, pattern, minLength = 0, maxLength = Infinity }: Schema): fc.Arbitrary<string> {
  const known = format === undefined ? undefined : formatted[format];
  if (known) return pattern === undefined ? known : known.filter((text) => new RegExp(pattern, 'u').test(text));
  const regExp = pattern === undefined ? undefined : new RegExp(pattern, 'u');
  const isAny = regExp === undefined || regExp.test('…');
  const texts = isAny ? anyText : fc.stringMatching(regExp);
  const longest = isAny && Number.isFinite(maxLength) ? [fc.constant('é'.repeat(maxLength))] : [];
  return fc
    .oneof({ weight: 20, arbitrary: texts }, ...longest)
    .map((text) => text + 'x'.repeat(Math.max(minLength - [...text].length, 0)))
    .filter((text) => [...text].length <= maxLength && (regExp?.test(text) ?? true));
}

/** Returns the ids of records that are there, by the pattern of the ids. */
type IdsOf = (pattern: string) => readonly string[];

/** The sources of values. */
interface Sources {
  readonly document: Document;
  readonly idsOf: IdsOf;
}

/** The values that a schema allows. A reference names a record that is there as often as not. */
function valuesOf(sources: Sources, written: Schema): fc.Arbitrary<unknown> {
  const { document, idsOf } = sources;
  const schema = document.resolve(written) as Schema;
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const types = [schema.type ?? []].flat();
  if (types.length === 0) return fc.jsonValue({ maxDepth: 2 });
  const values = fc.oneof(...types.map((type) => ofType(sources, schema, type)));
  const known = idsOf(document.idOf(schema)?.pattern ?? '');
  return known.length > 0 ? fc.oneof(fc.constantFrom(...known), values) : values;
}

function ofType(sources: Sources, schema: Schema, type: string): fc.Arbitrary<unknown> {
  const { minimum, maximum, items = {}, minItems = 0, maxItems = 5 } = schema;
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.maxSafeInteger().filter((n) => n >= (minimum ?? -Infinity) && n <= (maximum ?? Infinity));
    case 'number':
      return fc.double({
        noNaN: true,
        noDefaultInfinity: true,
        min: minimum ?? -Number.MAX_VALUE,
        max: maximum ?? Number.MAX_VALUE,
      });
    case 'string':
      return strings(schema);
    case 'array': {
      const limits = { minLength: minItems, maxLength: Math.min(maxItems, 5) };
      const values = valuesOf(sources, items);
      return schema.uniqueItems ? fc.uniqueArray(values, limits) : fc.array(values, limits);
    }
    default:
      return objects(sources, schema);
  }
}

/** Objects with the required properties and some of the others. */
function objects(sources: Sources, { properties = {}, required = [] }: Schema): fc.Arbitrary<object> {
  const names = Object.keys(properties);
  const optional = names.filter((name) => !required.includes(name));
  return fc.subarray(optional, { maxLength: Math.min(optional.length, 8) }).chain((chosen) => {
    const present = names.filter((name) => required.includes(name) || chosen.includes(name));
    return fc.record(Object.fromEntries(present.map((name) => [name, valuesOf(sources, properties[name] ?? {})])));
  });
}

/** A request as the document describes it. */
export interface GeneratedRequest {
  /** The id in the path, where it has one. */
  readonly id: string | undefined;
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly mediaType: string | undefined;
  readonly body: unknown;
}

/**
 * The requests that the document allows for an operation.
 *
 * @param idsOf the ids of records that are there, by the pattern of the ids; they are tried as often as other ones
 */
export function requestsOf(
  document: Document,
  { parameters, bodies }: Operation,
  idsOf: IdsOf,
): fc.Arbitrary<GeneratedRequest> {
  const sources = { document, idsOf };
  const valueOf = ({ schema }: Parameter): fc.Arbitrary<unknown> => {
    const known = idsOf(schema.pattern ?? '');
    const values = valuesOf(sources, schema);
    return known.length > 0 ? fc.oneof(fc.constantFrom(...known), values) : values;
  };
  const inPath = parameters.find((parameter) => parameter.in === 'path');
  const someOf = (all: readonly Parameter[]): fc.Arbitrary<Record<string, unknown>> => {
    const optional = all.filter((parameter) => !parameter.required);
    return fc.subarray(optional, { maxLength: Math.min(optional.length, 3) }).chain((chosen) => {
      const present = all.filter((parameter) => parameter.required === true || chosen.includes(parameter));
      return fc.record(Object.fromEntries(present.map((parameter) => [parameter.name, valueOf(parameter)])));
    });
  };
  const body =
    bodies.length === 0
      ? fc.constant({ mediaType: undefined, body: undefined })
      : fc.oneof(
          ...bodies.map(([mediaType, schema]) =>
            fc.record({ mediaType: fc.constant(mediaType), body: valuesOf(sources, schema) }),
          ),
        );
  const id = inPath ? (valueOf(inPath) as fc.Arbitrary<string>) : fc.constant(undefined);
  const query = someOf(parameters.filter((parameter) => parameter.in === 'query'));
  const headers = someOf(parameters.filter((parameter) => parameter.in === 'header')) as fc.Arbitrary<
    Record<string, string>
  >;
  return fc.record({ id, query, headers, content: body }).map(({ content, ...rest }) => ({ ...rest, ...content }));
}

/** The path and the query of a request. Parameters that are lists have commas between their items. */
export function targetOf({ path }: Operation, { id, query }: GeneratedRequest): string {
  const filled = path.replace('{id}', encodeURIComponent(id ?? ''));
  const written = Object.entries(query).map(([name, value]) => {
    const texts = [value].flat().map((item) => encodeURIComponent(String(item)));
    return `${encodeURIComponent(name)}=${texts.join(',')}`;
  });
  return written.length === 0 ? filled : `${filled}?${written.join('&')}`;
}
