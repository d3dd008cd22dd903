import * as fc from 'fast-check';
import { expect } from 'vitest';

import type { Json } from './records.ts';
import { type Field, type FieldOptions, isWritable, type Resource } from './resources.ts';

export type Body = { [field: string]: Json };

const day = 86_400_000; // milliseconds

const dayOf = (number: number): string => new Date(Date.UTC(2024, 0, 1) + number * day).toISOString();

/** A value of each format, another one for each number. */
const ofFormat: Readonly<Record<string, (number: number) => string>> = {
  date: (number) => dayOf(number).slice(0, 10),
  'date-time': dayOf,
  time: (number) => `12:00:00.${number}+01:00`,
  uuid: (number) => `9f86d081-884c-4d65-9a2f-${String(number).padStart(12, '0')}`,
  email: (number) => `name-${number}@example.com`,
  uri: (number) => `https://example.com/${number}?a=b&c=%22`,
};

/** A text that the pattern of a field takes; another one for another seed, as far as it takes several. */
export const textMatching = (pattern: string, seed: number): string =>
  fc.sample(fc.stringMatching(new RegExp(pattern, 'u')), { numRuns: 1, seed })[0]!;

/** Cuts or extends a text to the lengths that a field takes, in code points. */
export const fitted = (text: string, { minLength = 0, maxLength = Infinity }: FieldOptions = {}): string =>
  [...text].slice(0, maxLength).join('').padEnd(minLength, 'x');

function textOf(name: string, number: number, seed: number, options: FieldOptions = {}): string {
  const { format, enum: values, pattern, default: value } = options;
  if (values) {
    const others = values.filter((one) => one !== value);
    return others[number % others.length]!;
  }
  if (format !== undefined) return ofFormat[format]!(number);
  if (pattern !== undefined) return textMatching(pattern, number);
  return fitted(`${name} ${seed}: "Zoë" 'Ωμ' 🙂 \\ %s \u{1}\n\t`, options);
}

/**
 * A value that no other field of the same resource gets for the same seed, so that two mixed-up columns show. It needs
 * the whole width of its type: 53 bits of an integer, all digits of a double, text that must be escaped.
 */
function sampleOf([name, type, options = {}]: Field, position: number, seed: number): Json {
  const number = position + 1 + seed * 100;
  if (name === 'idx') return number; // small: the next item of the parent gets the number after it
  const { minimum, maximum } = options;
  switch (type) {
    case 'string':
      return textOf(name, number, seed, options);
    case 'integer':
      return number % 2 ? (maximum ?? Number.MAX_SAFE_INTEGER) - number : (minimum ?? Number.MIN_SAFE_INTEGER) + number;
    case 'number':
      if (minimum !== undefined) return minimum + number / 7;
      return number % 2 ? number / 7 : -number * 1e15 - 1 / number;
    case 'array':
      return [0, 2].map((more) => sampleOf([name, options.items!.type, options.items!], position, seed + more));
    case 'object':
      return { 2: name, 1: [seed, { nested: null }] };
    case 'boolean':
      return (options.default !== true) === (seed % 2 === 0);
  }
}

/** A distinctive value for one field. Seeds give different values; even ones differ from every default. */
export function sample(resource: Resource, field: string, seed = 0): Json {
  const position = resource.fields.findIndex(([name]) => name === field);
  return sampleOf(resource.fields[position]!, position, seed);
}

const samples = (resource: Resource, seed: number, wanted: (field: Field) => boolean): Body =>
  Object.fromEntries(resource.fields.filter(wanted).map(([name]) => [name, sample(resource, name, seed)]));

const parentValue = (resource: Resource, parentId: string | undefined): Body =>
  resource.kind === 'line-item' && parentId !== undefined ? { [resource.parentField]: parentId } : {};

/** The smallest body that create takes. */
export function minimalBody(resource: Resource, parentId?: string): Body {
  return { ...samples(resource, 0, ([, , options]) => options?.required === true), ...parentValue(resource, parentId) };
}

/** A body with every field that a client can set. */
export function fullBody(resource: Resource, parentId?: string, seed = 0): Body {
  return { ...samples(resource, seed, isWritable), ...parentValue(resource, parentId) };
}

/** The value of a field that a body leaves out; one that each create makes is matched by its type. */
const absent = ({ default: value, isMade }: FieldOptions = {}): Json =>
  isMade ? (expect.any(String) as string) : ((value ?? null) as Json);

/** The fields that an answer to a create with this body holds, in order, without what the service sets itself. */
export function fieldsAfter(resource: Resource, body: Body): Body {
  return Object.fromEntries(
    resource.fields.map(([name, , options]) => [name, name in body ? body[name]! : absent(options)]),
  );
}

/** The names in the order every answer has them. */
export function keysOf(resource: Resource): string[] {
  const timestamps = resource.kind === 'line-item' ? [] : ['created_at', 'updated_at'];
  return ['id', ...resource.fields.map(([name]) => name), ...timestamps];
}

/** The resource's name, an underscore, and at least the 112 bits of a time and of 64 random bits. */
export function idPattern({ name }: Resource): RegExp {
  return new RegExp(`^${name}_[0-9A-Za-z-]{20,40}$`);
}

export const timestampPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
