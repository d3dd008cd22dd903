import type { Kind } from '../../runtime/kernel/model/operations.ts';
import { modeline, serviceFile, specFile } from '../read/paths.ts';
import { shortTypes } from './language.ts';
import { capitalize, withArticle } from './names.ts';

/** The parts of the first version of a spec file. */
export interface FirstSpec {
  /** `crm/opportunity` */
  readonly key: string;
  readonly kind: Kind;
  /** The name of the resource; undefined for that of the file. */
  readonly name: string | undefined;
  /** The field with the parent's id of a line item, and the key of the parent if this service has it. */
  readonly parent: { readonly field: string; readonly resource: string | undefined } | undefined;
}

const docs: Readonly<Record<Kind, (title: string) => string>> = {
  record: (title) => `TODO Say in one sentence what ${withArticle(title)} is.`,
  'line-item': (title) => `TODO Say in one sentence what ${withArticle(title)} is.`,
  singleton: (title) => `TODO Say in one sentence what ${title} decide.`,
};

/** Two fields to start from, by kind: the name and the value. */
const examples: Readonly<Record<Kind, Readonly<Record<string, string>>>> = {
  record: { title: '{ required: true, max_length: 140 }', remarks: '' },
  'line-item': { description: '{ required: true, max_length: 140 }', quantity: 'integer' },
  singleton: { enabled: '{ type: boolean, default: false }', contact_email: '' },
};

const types = shortTypes.filter((name) => name !== 'string').join(', ');

// Each of the fields is valid once its hash is removed.
const fieldComments = [
  `A name alone is an optional string. Its value is a type (${types}) or a mapping, like`,
  'stage: { enum: [open, won, lost], default: open, nullable: false, colors: { lost: red }, doc: Where it stands. }',
  'due_on: { format: date, required: true, nullable: true }',
  'opened_on: { format: date, default: today }',
  'settled_on: { format: date, immutable: once_set }',
  'edited_by: { always: actor }',
  "code: { pattern: '^[A-Z]+$', min_length: 2, max_length: 8, read_only: true, example: NL }",
  'probability: { type: integer, min: 0, max: 100, renamed_from: chance }',
  "price: { type: decimal, digits: 10, scale: 2, min: '0' }",
  'layout: { type: json, max_bytes: 4000 }',
  'tags: { type: list, of: { max_length: 40 }, max_items: 20, unique_items: true }',
  "net_price: { type: decimal, digits: 10, scale: 2, computed: 'price' }",
];

// A singleton's required field is null until it is set, and there is no other record to compare it with.
const recordComments = [
  'region: { required: true, backfill: unknown, doc: Older records show the backfill. }',
  'code_name: { max_length: 20, unique: true }',
  "number: { sequence: 'N-{yyyy}-{0000}' }",
];

/** Another record of the same kind is the only one that is there for sure. */
const referenceComments = (key: string, field: string): readonly string[] => [
  `former_id: { references: ${key}, on_delete: set_null, inverse: later, doc: The one before it. }`,
  `former_${field}: { max_length: 140, default_from: former.${field} }`,
];

/** Comments that suggest keys of the resource, with one of the example fields; settings are neither listed nor compared. */
const listComments: Readonly<Record<Kind, (field: string) => readonly string[]>> = {
  record: (field) => [
    `unique: [{ fields: [${field}], ignore_case: true }]`,
    `list: { filter: [${field}], sort: [${field}], search: [${field}], columns: [${field}, created_at] }`,
    `record_title: ${field}`,
    `form: [{ title: Notes, fields: [remarks], show_if: ${field} != "test" }]`,
  ],
  'line-item': (field) => [
    `unique: [{ fields: [${field}], ignore_case: true }]`,
    `list: { filter: [${field}], sort: [${field}], columns: [idx, ${field}] }`,
    `record_title: [${field}, idx]`,
  ],
  singleton: () => ['form: [{ title: Contact, fields: [contact_email], show_if: enabled == true }]'],
};

const transitionComments = [
  'transitions:',
  '  win: { from: open, to: won, field: stage, input: { reason: { max_length: 200 } }, set: { remarks: input.reason } }',
  '  mark: { from: open, field: stage, set: { remarks: marked } }',
  'locked_in: [won]',
  'except: [remarks]',
];

const ruleComments = (field: string): readonly string[] => [
  'rules:',
  `  - { that: ${field} != "test", message: The ${field} says something., field: ${field} }`,
];

/** The first version of a spec file, as YAML: it passes the check, and its comments show more keys. */
export function firstSpec({ key, kind, name, parent }: FirstSpec): string {
  const segment = key.slice(key.indexOf('/') + 1);
  const title = (name ?? segment).replaceAll(/[-_]/g, ' ');
  const fields = Object.entries(examples[kind]).filter(([field]) => field !== parent?.field);
  const example = fields.find(([, form]) => !form.includes('boolean'))?.[0] ?? '';
  const parentField = parent && [
    parent.field,
    parent.resource === undefined
      ? '{ required: true, doc: The id of the parent in another service. }'
      : '{ required: true }',
  ];
  const kindComments = {
    record: [...recordComments, ...referenceComments(key, example)],
    'line-item': recordComments,
    singleton: [],
  };
  const lines = [
    modeline(specFile(key)),
    `kind: ${kind}`,
    ...(name === undefined ? [] : [`name: ${name}`]),
    `doc: ${docs[kind](title)}`,
    ...(parent ? [`parent: { field: ${parent.field}${parent.resource ? `, resource: ${parent.resource}` : ''} }`] : []),
    ...listComments[kind](example).map((line) => `# ${line}`),
    'fields:',
    ...[...fieldComments, ...kindComments[kind]].map((line) => `  # ${line}`),
    ...[...(parentField ? [parentField] : []), ...fields].map(([field, rest]) => `  ${field}: ${rest}`.trimEnd()),
    ...[...ruleComments(example), ...(kind === 'record' ? transitionComments : [])].map((line) => `# ${line}`),
  ];
  return `${lines.join('\n')}\n`;
}

/** The first version of spec/service.yaml. */
export function firstService(name: string): string {
  const title = name.split('-').map(capitalize).join(' ');
  const lines = [
    modeline(serviceFile()),
    `name: ${name}`,
    `title: ${title}`,
    `doc: TODO Say in one sentence what ${title} is for.`,
    'version: 1.0.0',
    'license: UNLICENSED',
  ];
  return `${lines.join('\n')}\n`;
}
