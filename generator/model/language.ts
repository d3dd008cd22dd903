import { z } from 'zod';
import { type Format, formats } from '../../runtime/model/formats.ts';
import { defaultOperations, type Kind, type OperationName, operationsOfKind } from '../../runtime/model/operations.ts';

/** The names that no transition has: those of operations, of which clients have one more for the records of all pages. */
export const reservedTransitionNames: readonly string[] = [...operationsOfKind('record'), 'each'];

/** The built-in fields of each kind, which a spec does not declare. */
export const kindFields: Readonly<Record<Kind, readonly string[]>> = {
  record: ['id', 'created_at', 'updated_at'],
  'line-item': ['id', 'idx'],
  singleton: ['id', 'created_at', 'updated_at'],
};

/** The fields that the service sets: their names are reserved in every kind. */
export const serviceFields: readonly string[] = ['id', 'created_at', 'updated_at'];

/** Names that something else keeps for itself. */
interface ReservedNames {
  /** A regular expression for a whole name. */
  readonly names: string;
  /** Completes "cannot be called so:". */
  readonly why: string;
}

/** The names that no field has besides the built-in ones. */
export const reservedFieldNames: readonly ReservedNames[] = [
  { names: 'constructor|prototype|__proto__', why: 'every JavaScript object has a property of that name' },
  { names: 'cmax|cmin|ctid|tableoid|xmax|xmin', why: 'every table of PostgreSQL has a system column of that name' },
];

/**
 * The names that no resource has, as tables would have them. The names of helper tables and of everything else in SQL begin
 * with an underscore, which no name of a spec does.
 */
export const reservedResourceNames: readonly ReservedNames[] = [
  { names: 'pg_.*', why: 'PostgreSQL reserves names that begin with pg_' },
  { names: 'sqlite_.*', why: 'SQLite reserves names that begin with sqlite_' },
  { names: 'json_each|json_tree|pragma_.*', why: 'SQLite has a function of that name, which a table would hide' },
  { names: '.*_(?:pkey|by_parent|by_creation)', why: 'the indexes of tables have names that end so' },
];

/** Why a name is reserved; undefined for any other. */
export const whyReserved = (reserved: readonly ReservedNames[], name: string): string | undefined =>
  reserved.find(({ names }) => new RegExp(`^(?:${names})$`).test(name))?.why;

/**
 * The largest number of fields of a resource. A row of PostgreSQL has 8,160 bytes, and it moves no value of up to 24 bytes out
 * of the row: 8,160 less the header, the null bitmap and the built-in fields, divided by 24, is 333.
 */
export const maxFields = 300;

/** The largest number of transitions of a resource: each is an operation of its own. */
export const maxTransitions = 100;

/** The largest `max_body`, in MiB: work on a body takes up to 14 times its bytes of memory. */
export const maxMaxBody = 64;

/** The largest number of values of an enum: the generated types name each of them. */
const maxEnumValues = 1_000;

/** The longest name of a resource, in characters: the name of its index adds `_by_creation`. */
export const maxNameLength = 50;

/** A rule about a key of a mapping and the keys beside it. */
export interface KeyRule {
  readonly key: string;
  /** The key is an error where this one is present. */
  readonly not?: string;
  /** The key is an error where this one is missing. */
  readonly needs?: string;
  /** The message. */
  readonly words: string;
}

const notBeside = (other: string, keys: readonly string[]): readonly KeyRule[] =>
  keys.map((key) => ({ key, not: other, words: `${key} cannot be combined with ${other}` }));

/** The rules about the keys of a field. */
export const fieldRules: readonly KeyRule[] = [
  ...notBeside('format', ['enum', 'pattern', 'min_length', 'max_length']),
  ...notBeside('enum', ['pattern', 'min_length', 'max_length']),
  { key: 'nullable', needs: 'required', words: 'nullable needs required: an optional field is always nullable' },
  { key: 'read_only', not: 'required', words: 'read_only cannot be combined with required: no client sets the field' },
  {
    key: 'backfill',
    needs: 'required',
    words: 'backfill needs required: null is a value of an optional field, and default is what older rows get',
  },
  {
    key: 'backfill',
    not: 'nullable',
    words: 'backfill cannot be combined with nullable: null is a value of the field',
  },
  { key: 'default', not: 'required', words: 'default cannot be combined with required: every create sends the field' },
];

/** The rules about the keys of `parent`. */
export const parentRules: readonly KeyRule[] = [
  {
    key: 'type_field',
    not: 'resource',
    words: 'type_field cannot be combined with resource, which is the type of every parent',
  },
];

/** The parts of `list` that decide what requests can ask for, each a list of fields. */
export const listKeys = ['filter', 'sort', 'search'] as const;

export type ListKey = (typeof listKeys)[number];

/** The largest number of columns that a spec names: more do not fit on a screen. */
const maxColumns = 12;

/** The fields that no filter has: parameters of lists have their names. */
export const listParameters: readonly string[] = [
  'limit',
  'offset',
  'after',
  'sort',
  'q',
  'fields',
  'expand',
  'parent_id',
];

/** A string that matches a pattern, with the message that the check and editors show. */
const matching = (pattern: RegExp, words: string) =>
  z.string().regex(pattern, words).meta({ patternErrorMessage: words });

export const snakeCase = matching(
  /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/,
  'must be snake_case: small letters and digits, joined by single underscores',
).max(63, 'must be at most 63 characters long, which is what databases allow');

const kebabPattern = '[a-z][a-z0-9]*(?:-[a-z0-9]+)*';

export const kebabCase = matching(
  new RegExp(`^${kebabPattern}$`),
  'must be kebab-case: small letters and digits, joined by single hyphens',
);

const sentence = matching(/\S/, 'must not be empty').trim();

/** A sentence or a name that does not go on over several lines. */
const phrase = sentence.regex(/^[^\n\r]*$/, 'must be on one line');

const flag = (description: string) => z.literal(true, 'must be true or left out').optional().meta({ description });

const formerNames = (description: string) =>
  z
    .union([snakeCase, z.array(snakeCase).min(1, 'must name at least one name')])
    .optional()
    .meta({ description });

const doc = sentence.optional().meta({ description: 'A sentence for readers of the API and of the code.' });

const common = {
  required: flag('A create must send the field. On update no field is required.'),
  nullable: flag('Only with required: the key must be sent, and its value may be null.'),
  read_only: flag('Only the service sets the field: a create cannot, and an update can only repeat its value.'),
  renamed_from: formerNames('The former name of the field, or several: the column is renamed and keeps its data.'),
};

const constant = z.strictObject({
  constant: snakeCase.meta({ description: 'The name of a constant in spec/service.yaml.' }),
});

const defaultOf = <T extends z.ZodType>(value: T) =>
  z.union([value, constant]).optional().meta({
    description:
      'The value that the field gets when a create leaves it out, and in older rows: a literal, or a constant.',
  });

const backfillOf = <T extends z.ZodType>(value: T) =>
  value.optional().meta({
    description: 'The value of a required field in rows that hold none, because they are older than the rule.',
  });

const exampleOf = <T extends z.ZodType>(value: T) =>
  value.optional().meta({ description: 'A value that the OpenAPI document shows; one that fits the name by default.' });

const length = (description: string) => z.int().min(0, 'must not be negative').optional().meta({ description });

/** The keys of a field, by its type. */
export const fieldTypes = {
  string: z.strictObject({
    type: z.literal('string').optional().meta({ description: 'The default, which is left out.' }),
    format: z
      .enum(Object.keys(formats) as [Format, ...Format[]])
      .optional()
      .meta({ description: 'The format of the string.' }),
    ...common,
    default: defaultOf(z.string()),
    backfill: backfillOf(z.string()),
    example: exampleOf(z.string()),
    min_length: length('The smallest number of characters (code points).'),
    max_length: length('The largest number of characters (code points); 65536 by default.'),
    pattern: z
      .string()
      .optional()
      .meta({ description: 'A regular expression (ECMAScript, u flag) that matches a part of the value.' }),
    enum: z
      .array(z.string())
      .min(1, 'must name at least one value')
      .max(maxEnumValues, `must name at most ${maxEnumValues} values`)
      .optional()
      .meta({ description: 'The allowed values.' }),
    doc,
  }),
  integer: z.strictObject({
    type: z.literal('integer').meta({ description: 'A whole number between -(2^53 - 1) and 2^53 - 1.' }),
    ...common,
    default: defaultOf(z.int()),
    backfill: backfillOf(z.int()),
    example: exampleOf(z.int()),
    min: z.int().optional().meta({ description: 'The smallest value.' }),
    max: z.int().optional().meta({ description: 'The largest value.' }),
    doc,
  }),
  number: z.strictObject({
    type: z.literal('number').meta({ description: 'A finite double.' }),
    ...common,
    default: defaultOf(z.number()),
    backfill: backfillOf(z.number()),
    example: exampleOf(z.number()),
    min: z.number().optional().meta({ description: 'The smallest value.' }),
    max: z.number().optional().meta({ description: 'The largest value.' }),
    doc,
  }),
  boolean: z.strictObject({
    type: z.literal('boolean').meta({ description: 'true or false.' }),
    ...common,
    default: defaultOf(z.boolean()),
    backfill: backfillOf(z.boolean()),
    example: exampleOf(z.boolean()),
    doc,
  }),
} as const;

/** The keys that fields of every type can have. */
const commonKeyNames = [
  ...(Object.keys(common) as (keyof typeof common)[]),
  'default',
  'backfill',
  'example',
  'doc',
] as const;
export type CommonKey = (typeof commonKeyNames)[number];
export const commonKeys: readonly string[] = commonKeyNames;

export type FieldTypeName = keyof typeof fieldTypes;
export const fieldTypeNames = Object.keys(fieldTypes) as FieldTypeName[];

/** A field as it is written: a mapping, of which a type alone or nothing at all are short forms. */
export type WrittenField = z.infer<(typeof fieldTypes)[FieldTypeName]>;

const transition = z
  .strictObject({
    field: snakeCase.optional().meta({ description: 'The field that changes; `status` by default.' }),
    from: z
      .union([z.string(), z.array(z.string()).min(1, 'must name at least one state')])
      .meta({ description: 'The state or states that the transition starts from.' }),
    to: z.string().meta({ description: 'The state that the transition ends in.' }),
  })
  .meta({ description: 'A change of a field from one of several states to another, as an operation of its own.' });

const parent = z.strictObject({
  field: snakeCase.meta({ description: "The field that holds the parent's id." }),
  resource: matching(
    new RegExp(`^${kebabPattern}/${kebabPattern}$`),
    'must be <area>/<resource> in kebab-case, like crm/sales-stage',
  )
    .optional()
    .meta({
      description: 'The resource of the parent, if this service has it: a create must name a parent that exists.',
    }),
  type_field: snakeCase
    .optional()
    .meta({ description: 'The field with the type of the parent, if its id alone does not identify it.' }),
});

const someFields = z.array(z.string()).min(1, 'must name at least one field');

const fieldNames = (description: string) => someFields.optional().meta({ description });

const list = z
  .strictObject({
    filter: fieldNames('The fields that a list can be filtered by. Each is an index, which each create writes to.'),
    sort: fieldNames('The fields that a list can be sorted by. Each is an index, which each create writes to.'),
    search: fieldNames('The strings whose words `q` finds, in one full-text index.'),
    columns: someFields.max(maxColumns, `must name at most ${maxColumns} fields`).optional().meta({
      description:
        'The fields that the console shows of each record, in this order; a few of them by default. It changes no request.',
    }),
  } satisfies Record<ListKey | 'columns', unknown>)
  .optional()
  .meta({
    description:
      'The filters, sort orders and searched fields of the list, beside `id` and `created_at`, and its columns in the console.',
  });

const operationList = (kind: Kind) =>
  z
    .array(z.enum<OperationName[]>(operationsOfKind(kind)))
    .min(1, 'must name at least one operation')
    .optional()
    .meta({ description: operationsDescription(kind) });

/** The operations of a kind: those that resources have if their specs name none, and those that a spec has to name. */
function operationsDescription(kind: Kind): string {
  const usual = defaultOperations(kind);
  const others = operationsOfKind(kind).filter((name) => !usual.includes(name));
  const more = others.length === 0 ? '' : ` Not by default: ${others.join(', ')}.`;
  return `The operations of the resource; by default all of ${usual.join(', ')}.${more}`;
}

const resourceKeys = {
  name: snakeCase.optional().meta({
    description: 'The resource in ids, tables and types, in snake_case; the name of the file by default.',
  }),
  title: phrase.optional().meta({
    description: 'One record in running text, like "BOM item"; the name with spaces by default.',
  }),
  plural: phrase.optional().meta({ description: 'Several records in running text, if the plural is irregular.' }),
  doc: sentence.meta({ description: 'A sentence that describes one record.' }),
  renamed_from: formerNames('The former name of the resource, or several: the table is renamed and keeps its rows.'),
  max_body: z
    .union(
      [
        z.int().min(1, 'must be at least 1 byte'),
        matching(/^[1-9]\d* (KiB|MiB)$/, 'must be a size like 512 KiB or 16 MiB, or a number of bytes'),
      ],
      'must be a size like 512 KiB or 16 MiB, or a number of bytes',
    )
    .optional()
    .meta({ description: 'The largest request body: bytes, or a size like 16 MiB; 1 MiB by default.' }),
};

/** The schemas of a resource file, by kind; `field` is the schema of each field. */
export const resourceKinds = <F extends z.ZodType>(field: F) => {
  const fields = z
    .record(snakeCase, field)
    .meta({ description: 'The fields, in the order of a record. An empty value is an optional string.' });
  return {
    record: z.strictObject({
      kind: z.literal('record').meta({ description: 'A top-level record.' }),
      ...resourceKeys,
      operations: operationList('record'),
      list,
      fields,
      transitions: z
        .record(kebabCase, transition)
        .optional()
        .meta({ description: 'Changes of a field between states; each is served as POST <path>/{id}/<name>.' }),
    }),
    'line-item': z.strictObject({
      kind: z.literal('line-item').meta({ description: 'A child record, listed by its parent.' }),
      ...resourceKeys,
      operations: operationList('line-item'),
      parent: parent.meta({ description: 'The parent of a line item.' }),
      list,
      fields,
    }),
    singleton: z.strictObject({
      kind: z.literal('singleton').meta({ description: 'Settings: exactly one record, present from the start.' }),
      ...resourceKeys,
      operations: operationList('singleton'),
      fields,
    }),
  };
};

/** The schema of spec/service.yaml, which holds what all resources share. */
export const serviceSchema = z.strictObject({
  name: kebabCase.max(63, 'must be at most 63 characters long, which is what databases allow').meta({
    description: 'The realm of WWW-Authenticate, the application_name on PostgreSQL, and the mark of SQLite files.',
  }),
  title: sentence.meta({ description: 'The name of the service, for people.' }),
  doc: sentence.meta({ description: 'A description of the service.' }),
  version: matching(/^\d+\.\d+\.\d+$/, 'must be three numbers, like 1.0.0').meta({
    description: 'The version of the API.',
  }),
  license: sentence.meta({ description: 'The SPDX identifier of the licence.' }),
  contact: z
    .strictObject({
      name: phrase.optional().meta({ description: 'The person or the team.' }),
      url: matching(/^https?:\/\/\S+$/, 'must be a URL, like https://example.com')
        .optional()
        .meta({ description: 'A page.' }),
      email: matching(/^[^\s@]+@[^\s@]+$/, 'must be an email address, like name@example.com')
        .optional()
        .meta({ description: 'An email address.' }),
    })
    .optional()
    .meta({ description: 'Whom to ask about the API.' }),
  areas: z
    .record(kebabCase, phrase.meta({ description: 'The name of the area.' }))
    .optional()
    .meta({ description: 'The names of areas for people, where the name of the folder does not tell it: `crm: CRM`.' }),
  constants: z
    .record(
      snakeCase,
      z
        .union([z.string(), z.number(), z.boolean()], 'must be a string, a number, true or false')
        .meta({ description: 'The value of the defaults that are written as { constant: <name> }.' }),
    )
    .optional()
    .meta({ description: 'Values that defaults of fields refer to by name.' }),
  accepted_breaks: z
    .record(z.string(), sentence.meta({ description: 'The reason to accept the change.' }))
    .optional()
    .meta({ description: 'Breaking changes by their ids in `npm run changes`, each with the reason to accept it.' }),
});

export type WrittenService = z.infer<typeof serviceSchema>;
export type WrittenList = z.infer<typeof list>;
