import type { z } from 'zod';
import { didYouMean } from '../../runtime/suggest.ts';
import { nameOf, typeWords, valueAt } from '../../runtime/schema/validate.ts';
import type { KeyRule } from '../language.ts';
import type { SpecFile, Target } from '../parse.ts';
import type { Diagnostic } from '../diagnostic.ts';

/** A spec file, and what the checks find in it. */
export class CheckedFile {
  readonly spec: SpecFile;
  readonly diagnostics: Diagnostic[] = [];

  constructor(spec: SpecFile) {
    this.spec = spec;
  }

  add(target: Target, message: string): void {
    this.diagnostics.push({ ...this.spec.locationOf(target), severity: 'error', message });
  }

  /** Whether the file has errors, which keep it from being used. */
  get hasErrors(): boolean {
    return this.diagnostics.some(({ severity }) => severity === 'error');
  }

  warnAtValue(path: readonly PropertyKey[], message: string): void {
    this.diagnostics.push({ ...this.spec.locationOf({ path, of: 'value' }), severity: 'warning', message });
  }

  atValue(path: readonly PropertyKey[], message: string): void {
    this.add({ path, of: 'value' }, message);
  }

  atKey(path: readonly PropertyKey[], message: string): void {
    this.add({ path, of: 'key' }, message);
  }
}

const quoted = (value: unknown): string => JSON.stringify(value);

/** `x, y or z`. */
export const oneOfWords = (values: readonly unknown[]): string => {
  const words = values.map(quoted);
  return words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
};

const whatItIs = (value: unknown): string =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? 'a mapping' : nameOf(value);

function describe(
  issue: z.core.$ZodIssue,
  known: readonly string[],
  file: CheckedFile,
  base: readonly PropertyKey[],
  suggestions: Readonly<Record<string, string>>,
): void {
  const path = [...base, ...issue.path];
  const value = valueAt(file.spec.data, path);
  // An entry of a list goes by the name of the list.
  const key = String(path.findLast((part) => typeof part === 'string') ?? '');
  if (issue.code === 'unrecognized_keys') {
    for (const name of issue.keys) {
      const hint = didYouMean(name, known);
      file.atKey([...path, name], `unknown key ${quoted(name)}${hint || `; allowed are ${known.join(', ')}`}`);
    }
  } else if (issue.code === 'invalid_key') {
    file.atKey(path, `the name ${quoted(key)} ${issue.issues[0]?.message}`);
  } else if (value === undefined) {
    const hint = path.length === 1 && suggestions[key];
    file.atValue(path.slice(0, -1), `the key ${quoted(key)} is missing${hint ? `; write ${key}: ${hint}` : ''}`);
  } else if (issue.code === 'invalid_value' && issue.values.length > 1) {
    const allowed = issue.values.map(String);
    const hint = typeof value === 'string' ? didYouMean(value, allowed) : '';
    file.atValue(path, `${key} must be ${oneOfWords(allowed)}, not ${quoted(value)}${hint}`);
  } else if (issue.code === 'invalid_type' && !issue.message.startsWith('must')) {
    const wanted = issue.expected === 'object' || issue.expected === 'record' ? 'a mapping' : typeWords[issue.expected];
    const found = value === null ? 'empty' : typeof value === 'number' ? String(value) : whatItIs(value);
    file.atValue(path, `${key || 'the file'} must be ${wanted ?? issue.expected}, not ${found}`);
  } else if (issue.code === 'invalid_union') {
    file.atValue(path, `${key} ${unionWords(issue)}`);
  } else {
    file.atValue(
      path,
      `${key} ${issue.message.startsWith('must') || issue.message.startsWith('is') ? issue.message : 'is not valid'}`,
    );
  }
}

function unionWords(issue: z.core.$ZodIssueInvalidUnion): string {
  if (issue.message.startsWith('must')) return issue.message;
  const options = issue.errors.flatMap((branch) => branch.filter(({ path }) => path.length === 0));
  const words = options.map((option) => {
    if (option.code === 'unrecognized_keys') return 'a mapping with the key "constant"';
    if (option.code !== 'invalid_type') return option.message.replace(/^must (?:be )?/, '');
    return option.expected === 'object'
      ? 'a mapping with the key "constant"'
      : (typeWords[option.expected] ?? option.expected);
  });
  return `must be ${words.join(' or ')}`;
}

/**
 * Checks a part of a file against its schema.
 *
 * @param base where the part stands in the file
 * @param suggestions values for keys of the file that may be missing
 * @returns the part, or undefined where it has errors
 */
export function inspect<S extends z.ZodType>(
  file: CheckedFile,
  schema: S,
  base: readonly PropertyKey[] = [],
  suggestions: Readonly<Record<string, string>> = {},
): z.output<S> | undefined {
  const result = schema.safeParse(valueAt(file.spec.data, base));
  if (result.success) return result.data;
  for (const issue of result.error.issues) describe(issue, keysAt(schema, issue.path), file, base, suggestions);
  return undefined;
}

/** The keys that a schema knows at a path. */
function keysAt(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  let at: unknown = schema;
  for (const key of path) {
    at = unwrap(at);
    if (hasShape(at)) at = at.shape[String(key)];
    else if (at !== null && typeof at === 'object' && 'valueType' in at) at = at.valueType;
  }
  at = unwrap(at);
  return hasShape(at) ? Object.keys(at.shape) : [];
}

const hasShape = (schema: unknown): schema is { shape: Record<string, unknown> } =>
  typeof schema === 'object' && schema !== null && 'shape' in schema;

function unwrap(schema: unknown): unknown {
  let at = schema;
  while (typeof at === 'object' && at !== null && 'unwrap' in at && typeof at.unwrap === 'function') at = at.unwrap();
  return at;
}

/** Refuses the one name that zod leaves out of a record of its own accord. */
export function refuseProto(file: CheckedFile, path: readonly PropertyKey[], names: z.ZodType): void {
  const name = '__proto__';
  const written = valueAt(file.spec.data, path);
  if (typeof written !== 'object' || written === null || !Object.hasOwn(written, name)) return;
  const rule = names.safeParse(name).error?.issues[0];
  file.atKey([...path, name], `the name ${JSON.stringify(name)} ${rule?.message}`);
}

/** The rules that the keys of a mapping break, one for each key. */
export function brokenRules(rules: readonly KeyRule[], written: object): KeyRule[] {
  const has = (key: string | undefined): boolean => key !== undefined && valueAt(written, [key]) !== undefined;
  const broken = rules.filter(({ key, not, needs }) => has(key) && (has(not) || (needs !== undefined && !has(needs))));
  return broken.filter(({ key }, index) => broken.findIndex((rule) => rule.key === key) === index);
}
