import type { z } from 'zod';
import { didYouMean } from '../../runtime/suggest.ts';
import { nameOf, typeWords, valueAt } from '../../runtime/schema/validate.ts';
import { type Diagnostic, isError } from '../diagnostic.ts';
import { isMapping } from '../json.ts';
import type { KeyRule } from '../language.ts';
import type { Resource } from '../model.ts';
import type { SpecFile, Target } from '../parse.ts';

const quoted = (value: unknown): string => JSON.stringify(value);

/** A spec file and its diagnostics. */
export class CheckedFile {
  readonly spec: SpecFile;
  readonly diagnostics: Diagnostic[];

  constructor(spec: SpecFile, diagnostics: Diagnostic[] = []) {
    this.spec = spec;
    this.diagnostics = diagnostics;
  }

  /** The file with its diagnostics so far. */
  copy(): CheckedFile {
    return new CheckedFile(this.spec, [...this.diagnostics]);
  }

  add(target: Target, message: string, severity: Diagnostic['severity'] = 'error'): void {
    this.diagnostics.push({ ...this.spec.locationOf(target), severity, message });
  }

  get hasErrors(): boolean {
    return this.diagnostics.some(isError);
  }

  atValue(path: readonly PropertyKey[], message: string, severity?: Diagnostic['severity']): void {
    this.add({ path, of: 'value' }, message, severity);
  }

  atKey(path: readonly PropertyKey[], message: string): void {
    this.add({ path, of: 'key' }, message);
  }

  /** The path of an item of a list, which can also be written as a single value. */
  itemPath(path: readonly PropertyKey[], index: number): readonly PropertyKey[] {
    return Array.isArray(valueAt(this.spec.data, path)) ? [...path, index] : path;
  }

  /** Reports the items of a list that are in it before; `prefix` begins the messages. */
  checkRepeats(path: readonly PropertyKey[], items: readonly string[], prefix = ''): void {
    items.forEach((item, index) => {
      if (items.indexOf(item) < index) {
        this.atValue([...path, index], `${prefix}${String(path.at(-1))} lists ${quoted(item)} twice`);
      }
    });
  }
}

/** A field or a resource with its former names. */
type Renamed = Pick<Resource, 'renamedFrom'> & { file: CheckedFile; path: readonly string[]; label: string };

/** Checks that no former name is still in use or given twice; `userOf` returns the present user of a name. */
export function checkFormerNames(all: readonly Renamed[], userOf: (name: string) => string | undefined): void {
  const owners = new Map<string, string>();
  for (const { file, path, label, renamedFrom } of all) {
    for (const [index, former] of renamedFrom.entries()) {
      const [user, owner] = [userOf(former), owners.get(former)];
      const at = file.itemPath([...path, 'renamed_from'], index);
      if (user !== undefined) file.atValue(at, `${former} is still the name of ${user}`);
      else if (owner !== undefined) file.atValue(at, `${owner} is renamed from ${former} too`);
      owners.set(former, label);
    }
  }
}

/** `"x", "y" or "z"`. */
export const oneOfWords = (values: readonly unknown[]): string =>
  new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(values.map(quoted));

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
    const words = isMapping(value) ? 'a mapping' : nameOf(value);
    const found = value === null ? 'empty' : typeof value === 'number' ? String(value) : words;
    file.atValue(path, `${key || 'the file'} must be ${wanted ?? issue.expected}, not ${found}`);
  } else if (issue.code === 'invalid_union') {
    file.atValue(path, `${key} ${unionWords(issue)}`);
  } else {
    file.atValue(path, `${key} ${issue.message.startsWith('must') ? issue.message : 'is not valid'}`);
  }
}

function unionWords(issue: z.core.$ZodIssueInvalidUnion): string {
  if (issue.message.startsWith('must')) return issue.message;
  const options = issue.errors.flatMap((branch) => branch.filter(({ path }) => path.length === 0));
  const words = options.map((option) => {
    const type = option.code === 'invalid_type' ? option.expected : undefined;
    if (type === 'object' || option.code === 'unrecognized_keys') return 'a mapping with the key "constant"';
    return type === undefined ? option.message.replace(/^must (?:be )?/, '') : (typeWords[type] ?? type);
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
    else if (isMapping(at) && 'valueType' in at) at = at['valueType'];
  }
  at = unwrap(at);
  return hasShape(at) ? Object.keys(at.shape) : [];
}

const hasShape = (schema: unknown): schema is { shape: Record<string, unknown> } =>
  isMapping(schema) && 'shape' in schema;

function unwrap(schema: unknown): unknown {
  let at = schema;
  while (isMapping(at) && typeof at['unwrap'] === 'function') at = at['unwrap']();
  return at;
}

/** Rejects `__proto__`, which zod drops from a record without an issue. */
export function refuseProto(file: CheckedFile, path: readonly PropertyKey[], names: z.ZodType): void {
  const name = '__proto__';
  const written = valueAt(file.spec.data, path);
  if (!isMapping(written) || !Object.hasOwn(written, name)) return;
  file.atKey([...path, name], `the name ${quoted(name)} ${names.safeParse(name).error?.issues[0]?.message}`);
}

/** The rules that the keys of a mapping break, one for each key. */
export function brokenRules(rules: readonly KeyRule[], written: object): KeyRule[] {
  const has = (key: string | undefined): boolean => key !== undefined && valueAt(written, [key]) !== undefined;
  const broken = rules.filter(({ key, not, needs }) => has(key) && (has(not) || (needs !== undefined && !has(needs))));
  return broken.filter(({ key }, index) => broken.findIndex((rule) => rule.key === key) === index);
}
