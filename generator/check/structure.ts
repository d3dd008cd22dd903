import type { z } from 'zod';
import { typeNameOf, typeWords, valueAt } from '../../runtime/kernel/model/validate.ts';
import { type Diagnostic, isError } from '../read/diagnostic.ts';
import { isMapping } from '../emit/json.ts';
import { fieldTypes, type KeyRule } from '../model/language.ts';
import type { Resource } from '../model/model.ts';
import { kebabCaseOf, listed, separated } from '../model/names.ts';
import type { SpecFile, Target } from '../read/parse.ts';
import { compactWords, oddCharacters, oneOfWords, quoted } from '../read/words.ts';
import { foreignWordHint, typeMeant } from './foreign-words.ts';
import { nearName } from './hints.ts';
import { ResourceNames } from './resource-names.ts';

/** A spec file and its diagnostics. */
export class CheckedFile {
  readonly spec: SpecFile;
  /** The names of all resources of the run. */
  readonly names: ResourceNames;
  readonly diagnostics: Diagnostic[] = [];
  /** Diagnostics of expressions: they make no other errors, and hide none. */
  readonly #inExpressions = new Set<Diagnostic>();

  constructor(spec: SpecFile, names = new ResourceNames([])) {
    this.spec = spec;
    this.names = names;
  }

  /** Reports a fault. @returns undefined, for the caller to return */
  add(target: Target, message: string, severity: Diagnostic['severity'] = 'error'): undefined {
    const diagnostic = { ...this.spec.locationOf(target), severity, message: compactWords(message) };
    this.diagnostics.push(diagnostic);
    if (target.part) this.#inExpressions.add(diagnostic);
  }

  /** Whether it has errors that could make others. */
  get hasErrors(): boolean {
    return this.diagnostics.some((diagnostic) => isError(diagnostic) && !this.#inExpressions.has(diagnostic));
  }

  atValue(path: readonly PropertyKey[], message: string, severity?: Diagnostic['severity']): undefined {
    return this.add({ path, of: 'value' }, message, severity);
  }

  atKey(path: readonly PropertyKey[], message: string): undefined {
    return this.add({ path, of: 'key' }, message);
  }

  /** The path of an item of a list, which can also be written as a single value. */
  itemPath(path: readonly PropertyKey[], index: number): readonly PropertyKey[] {
    return Array.isArray(valueAt(this.spec.data, path)) ? [...path, index] : path;
  }

  /** Reports the items of a list that are in it before; `prefix` begins the messages. */
  checkRepeats(path: readonly PropertyKey[], items: readonly string[], prefix = ''): void {
    const before = new Set<string>();
    items.forEach((item, index) => {
      if (before.has(item)) {
        this.atValue([...path, index], `${prefix}${String(path.at(-1))} lists ${quoted(item)} twice`);
      }
      before.add(item);
    });
  }
}

/** A field, a resource or a value of an enum, with its former names. */
type Renamed = Pick<Resource, 'renamedFrom'> & { file: CheckedFile; path: readonly PropertyKey[]; label: string };

/** Checks that no former name is still in use or given twice; `userOf` returns the present user of a name, `prefix` begins the messages. */
export function checkFormerNames(
  all: readonly Renamed[],
  userOf: (name: string) => string | undefined,
  prefix = '',
): void {
  const owners = new Map<string, string>();
  for (const { file, path, label, renamedFrom } of all) {
    for (const [index, former] of renamedFrom.entries()) {
      const [user, owner] = [userOf(former), owners.get(former)];
      const at = file.itemPath([...path, 'renamed_from'], index);
      if (user !== undefined) file.atValue(at, `${prefix}${former} is still the name of ${user}`);
      else if (owner !== undefined) file.atValue(at, `${prefix}${owner} is renamed from ${former} too`);
      owners.set(former, label);
    }
  }
}

/** The rule that a name breaks, with how to write the name. */
function nameWords(name: string, rule: string): string {
  const [, style] = /^must be (?:<area>\/<resource> in )?(snake_case|kebab-case)/.exec(rule) ?? [];
  if (style === undefined) return rule + oddCharacters(name);
  const odd = oddCharacters(name, true);
  if (odd !== '') return rule + odd;
  if (/^\d/.test(name)) return `${rule}; it must begin with a letter`;
  const parts = rule.includes('/') ? name.split('/') : [name];
  const words = parts.map((part) => kebabCaseOf(separated(part))).join('/');
  if (rule.includes('/') && !/^[^/]+\/[^/]+$/.test(words)) return rule;
  const better = style === 'snake_case' ? words.replaceAll('-', '_') : words;
  return better === '' || better === name || name.length > 100 ? rule : `${rule}; write ${better}`;
}

/** The context of a check: the file, the path of the checked part, and the whole schema. */
interface Inspection {
  readonly file: CheckedFile;
  readonly schema: z.ZodType;
  readonly base: readonly PropertyKey[];
  readonly suggestions: Readonly<Record<string, string>>;
}

/** The subject of an issue: its path in the file, the value there, and its name in messages. */
interface Subject {
  readonly path: readonly PropertyKey[];
  readonly value: unknown;
  readonly key: string;
}

function describe(issue: z.core.$ZodIssue, inspection: Inspection): void {
  const { file, base } = inspection;
  const path = [...base, ...issue.path];
  // An entry of a list goes by the name of the list.
  const key = String(path.findLast((part) => typeof part === 'string') ?? '');
  const subject = { path, key, value: valueAt(file.spec.data, path) };
  if (issue.code === 'unrecognized_keys') describeUnknownKeys(issue, inspection, subject);
  else if (issue.code === 'invalid_key')
    file.atKey(path, `the name ${quoted(key)} ${nameWords(key, issue.issues[0]?.message ?? '')}`);
  else if (subject.value === undefined) describeMissingKey(inspection, subject);
  else if (issue.code === 'invalid_union') describeUnion(issue, inspection, subject);
  else {
    const isEntry = issue.code === 'invalid_type' && isMappingExpected(issue) && typeof path.at(-1) === 'number';
    const rule = brokenRule(issue, subject);
    const meant = rule.includes('<area>/<resource>') ? file.names.meant(String(subject.value)) : undefined;
    const isSeveral = key === 'references' && /[,|]/.test(String(subject.value));
    const words = isSeveral
      ? 'names one resource; several are a list, as in [crm/lead, crm/customer]'
      : meant === undefined
        ? rule
        : `${rule.replace(/, like .*|; write .*/, '')}; did you mean ${quoted(meant)}?`;
    file.atValue(path, `${isEntry ? 'each of ' : ''}${key || 'the file'} ${words}`);
  }
}

function describeUnknownKeys(
  issue: z.core.$ZodIssueUnrecognizedKeys,
  { file, schema }: Inspection,
  { path, value }: Subject,
): void {
  const names = keysAt(schema, issue.path);
  const allowed = `; allowed ${names.length === 1 ? 'is' : 'are'} ${names.join(', ')}`;
  const isField = /^(?:fields|input)$/.test(String(path.at(-2)));
  for (const name of issue.keys) {
    const owners = isField || path[0] === 'fields' ? typesWith(name) : [];
    const isKnown = owners.includes('string') || (path.length === 0 && kindHints[name] !== undefined);
    const foreign = isKnown ? undefined : foreignWordHint(name);
    // The values of a list are described below the field.
    const isOfOthers = isField && owners.length > 0;
    const only = isOfOthers ? `; only a field of type ${oneOfWords(owners)} has it` : undefined;
    const hint = foreign ?? only ?? keyHint(name, names, path.length, valueAt(value, [name]));
    const isEnough = foreign !== undefined || isOfOthers || hint.endsWith('?') || hint.endsWith('colon');
    file.atKey([...path, name], `unknown key ${quoted(name)}${hint}${isEnough ? '' : allowed}`);
  }
}

/** The types of the fields that have a key. */
const typesWith = (key: string): string[] =>
  Object.entries(fieldTypes).flatMap(([type, { shape }]) => (Object.hasOwn(shape, key) ? [type] : []));

/** A suggestion for an unknown key, to follow it. */
function keyHint(name: string, names: readonly string[], depth: number, value: unknown): string {
  if (depth === 0 && kindHints[name]) return kindHints[name];
  if (/:\S/.test(name)) return '; write a space after the colon';
  const near = nearName(name, names);
  const isAlone = near === '' && depth > 0 && value === null;
  return isAlone ? '; if it belongs to the text before a comma, put that text in quotes' : near;
}

function describeMissingKey({ file, suggestions }: Inspection, { path, key }: Subject): void {
  const isFrom = path[0] === 'transitions' && key === 'from';
  const value = isFrom ? '[draft, submitted], the states that it starts from' : path.length === 1 && suggestions[key];
  file.atValue(path.slice(0, -1), `the key ${quoted(key)} is missing${value ? `; write ${key}: ${value}` : ''}`);
}

/** The rule that a value breaks, to follow its key. */
function brokenRule(issue: z.core.$ZodIssue, { path, key, value }: Subject): string {
  if (issue.code === 'invalid_value' && issue.values.length > 1) {
    const allowed = issue.values.map(String);
    // `{ red: lost }` for `{ lost: red }`
    const swapped = allowed.includes(key) ? `; write { ${String(value)}: ${key} }` : '';
    const hint = typeof value === 'string' ? swapped || hintOf(value, allowed) : '';
    return `must be ${oneOfWords(issue.values)}, not ${quoted(value)}${hint}`;
  }
  if (issue.code === 'invalid_type' && !issue.message.startsWith('must')) {
    const wanted = isMappingExpected(issue) ? 'a mapping' : (typeWords[issue.expected] ?? issue.expected);
    const words = isMapping(value) ? 'a mapping' : typeNameOf(value);
    const valueWords = value === null ? 'empty' : typeof value === 'number' ? String(value) : words;
    return `must be ${wanted}, not ${valueWords}${formHint(issue, path, value)}`;
  }
  if (key === 'inverse' && String(value).includes('/'))
    return 'is a name like orders, which the other resource has for these records; a path belongs to references';
  const rule = issue.message.startsWith('must') ? issue.message : limitWords(issue);
  return typeof value === 'string' ? nameWords(value, rule) : rule;
}

const isMappingExpected = ({ expected }: z.core.$ZodIssueInvalidType): boolean => /^(?:object|record)$/.test(expected);

/** How to write a value that has another form, to follow it. */
function formHint(issue: z.core.$ZodIssueInvalidType, path: readonly PropertyKey[], value: unknown): string {
  const key = path.length === 1 ? path[0] : '';
  if (path[0] === 'transitions' && path.length > 1) {
    const hint = moveHints[path.length === 2 ? 'move' : String(path[2])];
    if (hint !== undefined && path.length < 4 && (isMappingExpected(issue) || value === null)) return hint;
  }
  if (path.at(-1) === 'inverse') return '; write a name like orders';
  if (key === 'fields') return fieldsHint(value);
  if (key === 'rules') return '; write [{ that: "a <= b", message: … }]';
  if (key === 'locked_in' && !/^[\w-]+$/.test(String(value)))
    return '; write the states, as in locked_in: [submitted], and except: [notes] below it for the fields that may still change';
  if (path[0] === 'form' && path.length < 3) return '; write [{ title: …, fields: [a, b] }]';
  if (path.at(-1) === 'to' && Array.isArray(value)) return '; write a transition for each';
  if (path.at(-1) === 'colors') return '; write { lost: red, won: green }';
  if (key === 'transitions') return '; write each under its name, as in submit: { from: draft, to: submitted }';
  if (isMapping(value) && /^(?:show_if|that|when)$/.test(String(path.at(-1))))
    return '; write a condition, as in kind == "company"';
  if (key === 'title' && Array.isArray(value))
    return `; fields that title each record are record_title: [${value.join(', ')}]`;
  if (isMappingExpected(issue) && typeof value === 'string' && /[<>=]/.test(value)) {
    return '; write { that: "a <= b", message: … }';
  }
  if (key === 'parent' && typeof value === 'string') return `; write ${parentForm(value)}`;
  if (issue.expected === 'string') return /^(?:number|boolean)$/.test(typeof value) ? '; write it in quotes' : '';
  if (issue.expected !== 'array' || value === null) return '';
  return `; write [${isMapping(value) ? Object.keys(value).join(', ') : String(value)}]`;
}

function limitWords(issue: z.core.$ZodIssue): string {
  if (issue.code === 'too_big') return `must be at most ${issue.maximum}`;
  return issue.code === 'too_small' ? `must be at least ${issue.minimum}` : 'is not valid';
}

/** How to write a transition, and its parts. */
const moveHints: Readonly<Record<string, string>> = {
  move: '; write { from: draft, to: submitted }',
  to: '; leave it out to keep the state',
  input: '; write { until: { format: date } }',
  set: '; write { ends_on: input.until }',
};

/** A parent, of which only the resource or the field is written. */
const parentForm = (value: string): string =>
  value.includes('/')
    ? `{ field: ${value.replace(/^.*\//, '').replaceAll('-', '_')}_id, resource: ${value} }`
    : `{ field: ${value} }`;

/** The kinds that have a key which others do not have, to follow an unknown key. */
const kindHints: Readonly<Record<string, string>> = {
  __proto__: null as never,
  parent: '; only kind: line-item has a parent',
  transitions: '; only kind: record has transitions',
  locked_in: '; only kind: record has states: those of a parent lock its line items',
  states: '; only kind: record has states',
  archive: '; only kind: record can be archived: what belongs to an archived record goes with it',
  except: '; it belongs to locked_in, which only kind: record has',
  list: '; only kind: record and kind: line-item have lists',
  record_title: '; a singleton is one record, which has the title of its resource',
  form: '; line items are edited in a table: list.columns are its columns',
  unique: '; a singleton has one record, with no other to compare',
};

/** A suggestion for `fields` that is not a mapping. */
function fieldsHint(value: unknown): string {
  if (value === null) return '; indent the fields below it';
  if (Array.isArray(value)) return '; write each field without a dash, as in name: { required: true }';
  return typeof value === 'string' && /:\S/.test(value) ? '; write a space after the colon' : '';
}

function hintOf(value: string, allowed: readonly string[]): string {
  const meant = typeMeant(value);
  if (meant !== undefined && allowed.includes(meant)) return `; did you mean ${quoted(meant)}?`;
  // It is an operation that another key gives.
  return /^(?:un)?archive$/.test(value) ? (foreignWordHint(value) ?? '') : nearName(value, allowed);
}

/** Reports what the branch finds that takes the type of the value, or where there is none, what the branches take. */
function describeUnion(
  issue: z.core.$ZodIssueInvalidUnion,
  inspection: Inspection,
  { path, key, value }: Subject,
): void {
  const fitting = issue.errors.filter(
    (branch) => !branch.some((inner) => inner.path.length === 0 && inner.code === 'invalid_type'),
  );
  const [branch] = fitting;
  if (branch && fitting.length === 1 && !issue.message.startsWith('must')) {
    for (const inner of branch) describe({ ...inner, path: [...issue.path, ...inner.path] }, inspection);
  } else inspection.file.atValue(path, `${key} ${unionWords(issue, inspection)}${quotesHint(issue, value)}`);
}

const mappingWords = (keys: readonly string[]): string =>
  `a mapping with the ${keys.length === 1 ? 'key' : 'keys'} ${listed(keys.map(quoted))}`;

/** How to write a number or boolean that is to be a string, where a mapping is possible, too; to follow the rule. */
function quotesHint(issue: z.core.$ZodIssueInvalidUnion, value: unknown): string {
  const types = new Set(
    issue.errors.flat().map((inner) => (inner.code === 'invalid_type' ? inner.expected : undefined)),
  );
  const isText = types.has('string') && types.has('object');
  return isText && /^(?:number|boolean)$/.test(typeof value) ? `; write '${value}', in quotes` : '';
}

function unionWords(issue: z.core.$ZodIssueInvalidUnion, { schema }: Inspection): string {
  if (issue.message.startsWith('must')) return issue.message;
  const options = issue.errors.flatMap((branch) => branch.filter(({ path }) => path.length === 0));
  const words = options.map((option) => {
    const type = option.code === 'invalid_type' ? option.expected : undefined;
    if (type === 'object' || option.code === 'unrecognized_keys') return mappingWords(keysAt(schema, issue.path));
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
  for (const issue of result.error.issues) describe(issue, { file, schema, base, suggestions });
  return undefined;
}

/** The keys that a schema knows at a path. */
function keysAt(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  let at: unknown = schema;
  for (const key of path) {
    at = unwrap(at);
    if (typeof key === 'number') {
      // Nothing is left of an array, but of one that is one of several forms.
      at = unwrap(optionsOf(at).find((option) => isMapping(option) && 'element' in option) ?? at);
      continue;
    }
    if (hasShape(at)) at = at.shape[String(key)];
    else if (isMapping(at) && 'valueType' in at) at = at['valueType'];
  }
  at = unwrap(at);
  // If several forms are allowed, only the mapping has keys.
  at = optionsOf(at).map(unwrap).find(hasShape) ?? at;
  return hasShape(at) ? Object.keys(at.shape) : [];
}

/** The forms that a schema allows, if there are several. */
const optionsOf = (schema: unknown): unknown[] =>
  isMapping(schema) && Array.isArray(schema['options']) ? schema['options'] : [];

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
  const rule = names.safeParse(name).error?.issues[0]?.message ?? '';
  file.atKey([...path, name], `the name ${quoted(name)} ${nameWords(name, rule)}`);
}

/** The rules that the keys of a mapping break, one for each key. */
export function brokenRules(rules: readonly KeyRule[], written: object): KeyRule[] {
  const has = (key: string): boolean => valueAt(written, [key]) !== undefined;
  const isAbout = ({ key, is }: KeyRule): boolean => has(key) && (is === undefined || valueAt(written, [key]) === is);
  const broken = rules.filter(
    (rule) => isAbout(rule) && (rule.needs ? !rule.needs.some(has) : rule.not !== undefined && has(rule.not)),
  );
  return broken.filter(({ key }, index) => broken.findIndex((rule) => rule.key === key) === index);
}
