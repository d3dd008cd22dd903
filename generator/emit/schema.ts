import { maxBodyBytes } from '../../runtime/limits.ts';
import type { Kind } from '../language.ts';
import type { Field, FieldType, Resource } from '../model.ts';
import { array, call, type Expression, object, print, regExp, string, typeArgument } from './expression.ts';
import { docComment, importOf, printFile } from './file.ts';
import { identifiers } from './identifiers.ts';

/** The runtime's functions that a file uses, gathered while it is printed. */
type Used = Set<string>;

const limits = (entries: readonly (readonly [string, Expression | undefined])[]): Expression[] => {
  const given = entries.flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const]));
  return given.length === 0 ? [] : [object(given)];
};

/** A number as the formatter writes it: without the sign of a positive exponent. */
const numeral = (value: number): string => String(value).replace('e+', 'e');

const limit = (value: number | undefined): Expression | undefined => (value === undefined ? undefined : numeral(value));

type TypeOf<T extends FieldType['type']> = Extract<FieldType, { type: T }>;

/** The helper call of each type. A new type does not compile until it has a row here. */
const helperOf: { [T in FieldType['type']]: (type: TypeOf<T>) => { name: string; args: Expression[] } } = {
  text: ({ minLength, maxLength, pattern }) => ({
    name: 'text',
    args: limits([
      ['min', limit(minLength)],
      ['max', limit(maxLength)],
      ['pattern', pattern === undefined ? undefined : regExp(pattern)],
    ]),
  }),
  date: () => ({ name: 'date', args: [] }),
  'date-time': () => ({ name: 'dateTime', args: [] }),
  enum: ({ values }) => ({ name: 'oneOf', args: [array(values.map(string))] }),
  integer: ({ min, max }) => ({
    name: 'integer',
    args: limits([
      ['min', limit(min)],
      ['max', limit(max)],
    ]),
  }),
  number: ({ min, max }) => ({
    name: 'number',
    args: limits([
      ['min', limit(min)],
      ['max', limit(max)],
    ]),
  }),
  boolean: () => ({ name: 'boolean', args: [] }),
};

/** Types are reached through one import: one that a file did not use before changes no other line of it. */
function typeExpression(field: FieldType): Expression {
  const { name, args } = (helperOf[field.type] as (type: FieldType) => { name: string; args: Expression[] })(field);
  return call(`field.${name}`, args, { hugLast: true });
}

function literal(value: Field['default']): Expression {
  if (typeof value === 'string') return string(value);
  return typeof value === 'number' ? numeral(value) : String(value);
}

function wrap(name: string, inner: Expression, used: Used, ...more: Expression[]): Expression {
  used.add(name);
  return call(name, [inner, ...more]);
}

function fieldExpression(kind: Kind, field: Field, used: Used): Expression {
  const type = typeExpression(field);
  const entered = presenceExpression(kind, field, type, used);
  return field.renamedFrom.length === 0 ? entered : wrap('renamed', entered, used, ...field.renamedFrom.map(string));
}

function presenceExpression(kind: Kind, field: Field, type: Expression, used: Used): Expression {
  if (field.required && field.nullable) return wrap('nullable', type, used);
  if (field.required) return kind === 'singleton' ? wrap('initiallyNull', type, used) : type;
  const optional = wrap('optional', type, used, ...(field.default === null ? [] : [literal(field.default)]));
  return field.readOnly ? wrap('readOnly', optional, used) : optional;
}

function fieldLines(kind: Kind, field: Field, used: Used): string {
  const line = print([
    '  ',
    { type: 'align', n: 2, contents: [field.name, ': ', fieldExpression(kind, field, used)] },
    ',',
  ]);
  const constant =
    field.constant === undefined ? [] : [`The default is the constant ${field.constant} of spec/service.yaml.`];
  const doc = [...(field.doc === undefined ? [] : [field.doc]), ...constant].join(' ');
  return doc === '' ? line : `${docComment(doc, '  ')}\n${line}`;
}

const before: Readonly<Record<Kind, readonly (readonly [string, string])[]>> = {
  record: [['id', 'id']],
  'line-item': [
    ['id', 'id'],
    ['idx', 'position'],
  ],
  singleton: [['id', 'id']],
};

const timestamps = [
  ['created_at', 'timestamp'],
  ['updated_at', 'timestamp'],
] as const;

const after: Readonly<Record<Kind, readonly (readonly [string, string])[]>> = {
  record: timestamps,
  'line-item': [],
  singleton: timestamps,
};

/** The function of the runtime that makes a table of each kind. */
const tableOf: Readonly<Record<Kind, string>> = { record: 'record', 'line-item': 'lineItem', singleton: 'singleton' };

function tableOptions(
  { name, title, maxBody, parent, renamedFrom }: Resource,
  tables: ReadonlyMap<string, string>,
): Expression[] {
  const parentEntries: [string, Expression][] = [];
  if (parent) {
    parentEntries.push(['field', string(parent.field)]);
    if (parent.typeField !== undefined) parentEntries.push(['typeField', string(parent.typeField)]);
    if (parent.resource !== undefined) parentEntries.push(['table', string(tables.get(parent.resource) ?? '')]);
  }
  const entries: [string, Expression][] = [];
  if (title !== name.replaceAll('_', ' ')) entries.push(['title', string(title)]);
  if (maxBody !== undefined && maxBody !== maxBodyBytes) entries.push(['maxBody', bytes(maxBody)]);
  if (parent) entries.push(['parent', object(parentEntries)]);
  if (renamedFrom.length > 0) entries.push(['renamedFrom', array(renamedFrom.map(string))]);
  return entries.length === 0 ? [] : [object(entries, { open: true })];
}

/** `16 * 1024 * 1024` reads better than 16777216. */
function bytes(size: number): string {
  const factors: string[] = [];
  let rest = size;
  while (rest % 1024 === 0 && factors.length < 2) {
    rest /= 1024;
    factors.push('1024');
  }
  return [String(rest), ...factors].join(' * ');
}

/**
 * `<area>/<resource>.schema.ts`: every field once, on its line; the shapes of create and update, and the table, are
 * derived from it.
 *
 * @param tables the names of the tables by resource, like `lead` for `crm/lead`
 */
export function emitSchema(resource: Resource, tables: ReadonlyMap<string, string>): string {
  const names = identifiers(resource);
  const used: Used = new Set(['field', tableOf[resource.kind]]);
  const given = (pairs: readonly (readonly [string, string])[]): string[] =>
    pairs.map(([name, helper]) => `  ${name}: field.${helper}(),`);
  const lines = [
    docComment(resource.doc),
    `export const ${names.type} = z.strictObject({`,
    ...given(before[resource.kind]),
    ...resource.fields.map((field) => fieldLines(resource.kind, field, used)),
    ...given(after[resource.kind]),
    '});',
  ];

  const constants: string[] = [];
  const declare = (name: string, expression: Expression): void => {
    constants.push(print([`export const ${name} = `, expression, ';']));
  };
  if (resource.operations.includes('create')) declare(names.create, call(use(used, 'creatable'), [names.type]));
  if (resource.operations.includes('update')) declare(names.update, call(use(used, 'updatable'), [names.type]));
  const args = [string(resource.name), names.type, ...tableOptions(resource, tables)];
  declare(names.table, call(tableOf[resource.kind], args, { hugLast: args.length > 2 }));

  return printFile(
    `${resource.key}.schema.ts`,
    resource.source,
    [importOf('zod', ['z']), importOf('../../runtime/index.ts', used)],
    [
      [lines.join('\n'), print([`export type ${names.type} = `, typeArgument('z.infer', `typeof ${names.type}`), ';'])],
      constants,
    ],
  );
}

function use(used: Used, name: string): string {
  used.add(name);
  return name;
}
