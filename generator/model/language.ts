import { z } from 'zod';
import { maxDigits } from '../../runtime/model/decimals.ts';
import { deletionRules } from '../../runtime/model/fields.ts';
import { maxEntries, mostListItems } from '../../runtime/model/limits.ts';
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
  { names: '.*_(?:pkey|by_parent|by_creation|unique)', why: 'the indexes of tables have names that end so' },
];

/** Why a name is reserved; undefined for any other. */
export const whyReserved = (reserved: readonly ReservedNames[], name: string): string | undefined =>
  reserved.find(({ names }) => new RegExp(`^(?:${names})$`).test(name))?.why;

/**
 * The largest number of fields of a resource. A row of PostgreSQL has 8,160 bytes, and it moves no value of up to 24 bytes out
 * of the row: 8,160 less the header, the null bitmap and the built-in fields, divided by 24, is 333.
 */
export const maxFields = 300;

/** Characters of the texts that an index holds together: PostgreSQL's hold about 2,700 bytes, and a character has up to four. */
export const maxIndexed = 650;

/** The largest number of transitions of a resource: each is an operation of its own. */
export const maxTransitions = 100;

/** The largest number of rules of a resource: each write evaluates all of them. */
const maxRules = 100;

/** The largest `max_body`, in MiB: work on a body takes up to 14 times its bytes of memory. */
export const maxMaxBody = 64;

/** The largest number of values of an enum: the generated types name each of them. */
const maxEnumValues = 1_000;

/** The longest name of a resource, in characters: the name of its index adds `_by_creation`. */
export const maxNameLength = 50;

/** A rule about a key of a mapping and the keys beside it. */
export interface KeyRule {
  readonly key: string;
  /** The rule is only about this value of the key. */
  readonly is?: boolean | string;
  /** The key is an error where this one is present. */
  readonly not?: string;
  /** The key is an error where all of these are missing. */
  readonly needs?: readonly string[];
  /** The message. */
  readonly words: string;
}

const notBeside = (other: string, keys: readonly string[]): readonly KeyRule[] =>
  keys.map((key) => ({ key, not: other, words: `${key} cannot be combined with ${other}` }));

/** The rules about the keys of a field. */
export const fieldRules: readonly KeyRule[] = [
  ...notBeside('format', ['enum', 'pattern', 'min_length', 'max_length']),
  ...notBeside('enum', ['pattern', 'min_length', 'max_length']),
  ...notBeside('computed', ['required', 'read_only', 'immutable', 'unique', 'references', 'backfill']),
  ...notBeside('computed', ['min', 'max', 'min_length', 'pattern']),
  {
    key: 'default',
    not: 'computed',
    words: 'default cannot be combined with computed: if the value is never null, write nullable: false',
  },
  ...notBeside('references', ['format', 'enum', 'pattern', 'min_length', 'max_length', 'default', 'backfill']),
  {
    key: 'on_delete',
    needs: ['references'],
    words: 'on_delete needs references: it is about the record that is named',
  },
  {
    key: 'on_delete',
    is: 'set_null',
    not: 'required',
    words: 'on_delete: set_null needs an optional field, which can be null',
  },
  { key: 'on_delete', is: 'set_null', not: 'immutable', words: 'on_delete: set_null cannot change an immutable field' },
  {
    key: 'on_missing',
    needs: ['references'],
    words: 'on_missing needs references: it is about values that name no record',
  },
  {
    key: 'on_missing',
    not: 'required',
    words: 'on_missing cannot be combined with required: set_null needs an optional field, which can be null',
  },
  {
    key: 'nullable',
    is: true,
    needs: ['required'],
    words: 'nullable: true needs required: an optional field is nullable without it',
  },
  {
    key: 'nullable',
    is: false,
    not: 'required',
    words: 'nullable: false cannot be combined with required: a required field is not nullable without it',
  },
  {
    key: 'nullable',
    is: false,
    needs: ['default', 'computed'],
    words: 'nullable: false needs a default: write default, or required: true',
  },
  {
    key: 'immutable',
    not: 'read_only',
    words: 'immutable cannot be combined with read_only: no client sets the field',
  },
  { key: 'read_only', not: 'required', words: 'read_only cannot be combined with required: no client sets the field' },
  {
    key: 'backfill',
    needs: ['required', 'nullable'],
    words: 'backfill needs required or nullable: false: null is a value of all other fields',
  },
  {
    key: 'nullable',
    is: true,
    not: 'backfill',
    words: 'nullable: true cannot be combined with backfill: null is a value of the field',
  },
  {
    key: 'default',
    not: 'required',
    words:
      'default cannot be combined with required: every create sends the field; for one that may be left out and is never ' +
      'null, write nullable: false in place of required',
  },
];

/** The keys of fields that no input of a transition has: they are about what is stored. */
export const storedKeys = [
  'computed',
  'read_only',
  'unique',
  'immutable',
  'renamed_from',
  'backfill',
  'on_delete',
  'on_missing',
];

/** The rules about a field that is unique by itself. */
export const uniqueRules = [
  {
    key: 'unique',
    not: 'default',
    words: 'two records that leave the field out would clash; remove the default or unique',
  },
  {
    key: 'unique',
    not: 'backfill',
    words: 'two records that are older than the field show its backfill; remove it or unique',
  },
] as const satisfies readonly KeyRule[];

/** Why a boolean, a list, a field of a singleton and a reference of one cannot have a rule. */
export const impossible = {
  uniqueBoolean: 'is a boolean, and a third record would clash: name it together with other fields',
  uniqueList:
    'is a list, and only single values can be unique; unique_items: true refuses a value that is in a list twice',
  uniqueInSingleton: 'a singleton has one record, with no other to compare; remove unique',
  cascadeInSingleton: 'cascade is not possible: a singleton cannot be deleted',
} as const;

/** The rules about the keys of a record. */
export const recordRules: readonly KeyRule[] = [
  {
    key: 'except',
    needs: ['locked_in'],
    words: 'except needs locked_in: it names the fields that can change in these states',
  },
  {
    key: 'locked_in',
    needs: ['transitions'],
    words: 'locked_in needs transitions: it names states of the field that they move',
  },
  {
    key: 'states',
    needs: ['transitions'],
    words: 'states: closed needs transitions: nothing else sets a state then',
  },
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
  nullable: z.boolean('must be true or false').optional().meta({
    description:
      'true, only with required: the key must be sent, and its value may be null. false, only with default: null is refused.',
  }),
  read_only: flag('Only the service sets the field: a create cannot, and an update can only repeat its value.'),
  unique: flag('No two records of an organization have the same value; null is no value.'),
  immutable: z.literal([true, 'once_set'], 'must be true or once_set').optional().meta({
    description:
      'true: a create sets the field, and no update changes it. once_set: it is null until it is set, and then stays.',
  }),
  computed: sentence.optional().meta({
    description:
      'The value of the field in CEL, from other fields or line items: `price * quantity`, `sum(items.amount)`. No client sets it.',
  }),
  renamed_from: formerNames('The former name of the field, or several: the column is renamed and keeps its data.'),
};

const constant = z.strictObject({
  constant: snakeCase.meta({ description: 'The name of a constant in spec/service.yaml.' }),
});

/** The keys of a type that hold values of it. */
const valuesOf = <T extends z.ZodType>(value: T) => ({
  default: z.union([value, constant]).optional().meta({
    description:
      'The value that the field gets when a create leaves it out, and in older rows: a literal, or a constant. Of a date-time also now, and of a date today.',
  }),
  backfill: value.optional().meta({
    description: 'The value of a required field in rows that hold none, because they are older than the rule.',
  }),
  example: value
    .optional()
    .meta({ description: 'A value that the OpenAPI document shows; one that fits the name by default.' }),
});

const length = (description: string) => z.int().min(0, 'must not be negative').optional().meta({ description });

/** A former name of a value: a key of an object. */
const formerValue = matching(/^(?!__proto__$)/, 'must not be __proto__');

/** A list of values that a field can have. */
export const enumValues = z
  .array(
    z.union([
      z.string(),
      z.strictObject({
        value: z.string().meta({ description: 'The value.' }),
        renamed_from: z
          .union([formerValue, z.array(formerValue).min(1, 'must name at least one name')])
          .meta({ description: 'The former name of the value, or several: rows that hold one get the present name.' }),
      }),
    ]),
  )
  .min(1, 'must name at least one value')
  .max(maxEnumValues, `must name at most ${maxEnumValues} values`);

const resourceKey = matching(
  new RegExp(`^${kebabPattern}/${kebabPattern}$`),
  'must be <area>/<resource> in kebab-case, like crm/sales-stage',
);

const references = resourceKey.optional().meta({
  description: 'The resource whose records the field names, each by its id: the record must exist.',
});

const onDelete = z
  .enum(deletionRules)
  .optional()
  .meta({
    description:
      'What happens if the record that the field names is deleted: restrict refuses the delete (the default), set_null clears ' +
      'the field, cascade deletes this record too.',
  });

const onMissing = z
  .literal('set_null', 'must be set_null or left out')
  .optional()
  .meta({
    description:
      'What the start that adds the reference does with values that name no record: set_null clears the field; without it, the ' +
      'start is refused.',
  });

/** A list that a spec gives; the type of its values is checked later. */
const listValue = z.array(z.union([z.string(), z.int()]));

/** The keys of a field, by its type. */
export const fieldTypes = {
  string: z.strictObject({
    type: z.literal('string').optional().meta({ description: 'The default, which is left out.' }),
    format: z
      .enum(Object.keys(formats) as [Format, ...Format[]])
      .optional()
      .meta({ description: 'The format of the string.' }),
    ...common,
    ...valuesOf(z.string()),
    min_length: length('The smallest number of characters (code points).'),
    max_length: length('The largest number of characters (code points); 65536 by default.'),
    pattern: z
      .string()
      .optional()
      .meta({ description: 'A regular expression (ECMAScript, u flag) that matches a part of the value.' }),
    enum: z.union([enumValues, z.string()]).optional().meta({
      description:
        'The allowed values, or the name of a list of them in spec/service.yaml. A value is renamed by { value: scarlet, renamed_from: crimson }.',
    }),
    references,
    on_delete: onDelete,
    on_missing: onMissing,
    doc,
  }),
  integer: z.strictObject({
    type: z.literal('integer').meta({ description: 'A whole number between -(2^53 - 1) and 2^53 - 1.' }),
    ...common,
    ...valuesOf(z.int()),
    min: z.int().optional().meta({ description: 'The smallest value.' }),
    max: z.int().optional().meta({ description: 'The largest value.' }),
    doc,
  }),
  number: z.strictObject({
    type: z.literal('number').meta({ description: 'A finite double.' }),
    ...common,
    ...valuesOf(z.number()),
    min: z.number().optional().meta({ description: 'The smallest value.' }),
    max: z.number().optional().meta({ description: 'The largest value.' }),
    doc,
  }),
  decimal: z.strictObject({
    type: z.literal('decimal').meta({
      description: 'An exact decimal number, like an amount of money: a string like "12.50".',
    }),
    ...common,
    ...valuesOf(z.string()),
    digits: z
      .int()
      .min(1, 'must be at least 1')
      .max(maxDigits, `must be at most ${maxDigits}, which 64 bits hold`)
      .meta({ description: 'The digits in all, before and behind the point; at most 18.' }),
    scale: z.int().min(0, 'must not be negative').meta({ description: 'The digits behind the point: 2 for 12.50.' }),
    min: z.string().optional().meta({ description: 'The smallest value, as a string.' }),
    max: z.string().optional().meta({ description: 'The largest value, as a string.' }),
    doc,
  }),
  list: z.strictObject({
    type: z.literal('list').meta({ description: 'Several values in their order: an array of strings or integers.' }),
    ...common,
    ...valuesOf(listValue),
    default: listValue
      .optional()
      .meta({ description: 'The list that the field gets when a create leaves it out, and in older rows.' }),
    of: z.unknown().meta({
      description: 'The type of each value: string, integer, or a mapping like { max_length: 40 } or { enum: [a, b] }.',
    }),
    max_items: z
      .int()
      .min(1, 'must be at least 1')
      .max(mostListItems, `must be at most ${mostListItems}; what has more is a resource of kind line-item`)
      .optional()
      .meta({ description: `The largest number of values; ${maxEntries} by default.` }),
    unique_items: flag('No value is in a list twice.'),
    doc,
  }),
  boolean: z.strictObject({
    type: z.literal('boolean').meta({ description: 'true or false.' }),
    ...common,
    ...valuesOf(z.boolean()),
    doc,
  }),
} as const;

/** The keys of `of`, by the type of the values of a list. */
export const itemTypes = {
  string: fieldTypes.string.pick({
    type: true,
    format: true,
    min_length: true,
    max_length: true,
    pattern: true,
    enum: true,
  }),
  integer: fieldTypes.integer.pick({ type: true, min: true, max: true }),
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

/** The types that can stand for a whole field, as in `age: integer`. */
export const shortTypes = fieldTypeNames.filter((name) => fieldTypes[name].safeParse({ type: name }).success);

/** A field as it is written: a mapping, of which a type alone or nothing at all are short forms. */
export type WrittenField = z.infer<(typeof fieldTypes)[FieldTypeName]>;

const someFields = z.array(z.string()).min(1, 'must name at least one field');

const rule = z
  .strictObject({
    when: sentence
      .optional()
      .meta({ description: 'The condition under which the rule applies, in CEL; always if absent.' }),
    that: sentence.meta({
      description:
        'The condition that must hold, in CEL, about fields of the record: `ends_on == null || ends_on >= starts_on`.',
    }),
    message: sentence.meta({ description: 'The message for the client whose write breaks the rule.' }),
    field: snakeCase
      .optional()
      .meta({ description: 'The field that the message is about; the whole record if absent.' }),
  })
  .meta({ description: 'A rule between the fields of a record: a write that breaks it is refused with 422.' });

const setWords =
  'must be now, today, actor or input.<name of an input>; a value that follows from the state is a computed field, like ' +
  `{ type: boolean, computed: 'status == "paid"' }`;

const setValue = z
  .string(setWords)
  .regex(/^(?:now|today|actor|input\.[a-z][a-z0-9]*(?:_[a-z0-9]+)*)$/, setWords)
  .meta({ patternErrorMessage: setWords });

const transition = <F extends z.ZodType>(field: F) =>
  z
    .strictObject({
      field: snakeCase.optional().meta({ description: 'The field that changes; `status` by default.' }),
      from: z
        .union([z.string(), z.array(z.string()).min(1, 'must name at least one state')])
        .meta({ description: 'The state or states that the transition starts from.' }),
      to: z.string().meta({ description: 'The state that the transition ends in.' }),
      requires: someFields
        .optional()
        .meta({ description: 'The fields that must not be null: it is refused with 422.' }),
      that: z
        .union([rule.shape.that, rule.pick({ that: true, message: true, field: true })])
        .optional()
        .meta({
          description:
            'The condition that a record must meet once it has moved, in CEL; with a message of its own, ' +
            '`{ that, message, field }`.',
        }),
      input: z.record(snakeCase, field).optional().meta({
        description:
          'The fields of its body, which may be left out unless they are required. `set` says which fields of the record they set.',
      }),
      set: z
        .record(snakeCase, setValue)
        .optional()
        .meta({
          description:
            'The fields that the transition sets: `submitted_at: now`, `submitted_on: today`, `submitted_by: actor` (as events name ' +
            'it), `reason: input.reason`.',
        }),
    })
    .meta({ description: 'A change of a field from one of several states to another, as an operation of its own.' });

const parent = z.strictObject({
  field: snakeCase.meta({ description: "The field that holds the parent's id." }),
  resource: resourceKey.optional().meta({
    description: 'The resource of the parent, if this service has it: a create must name a parent that exists.',
  }),
  type_field: snakeCase
    .optional()
    .meta({ description: 'The field with the type of the parent, if its id alone does not identify it.' }),
});

const fieldNames = (description: string) => someFields.optional().meta({ description });

const wrongUnique =
  'must be a list of fields of its own, as in [[company, code]], or { fields: [email], ignore_case: true }; write ' +
  'unique: true at a field that is unique by itself';

const unique = z
  .array(
    z.union(
      [
        someFields,
        z.strictObject({
          fields: someFields.meta({ description: 'The fields whose values are unique together.' }),
          ignore_case: flag('Texts are the same if they only differ in case or accents, as searches compare them.'),
        }),
      ],
      wrongUnique,
    ),
    wrongUnique,
  )
  .min(1, 'must name at least one field')
  .optional()
  .meta({
    description:
      'Lists of fields: no two records of an organization have the same values in all fields of one of them. A record with ' +
      'a null in one of these fields is not compared.',
  });

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

const events = z.enum(['on', 'off'], 'must be on or off').optional();

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
  events: events.meta({
    description: 'Whether what is done to records is noted as events; by default as spec/service.yaml says.',
  }),
};

/** The schemas of a resource file, by kind; `field` is the schema of each field. */
export const resourceKinds = <F extends z.ZodType>(field: F) => {
  const fields = z
    .record(snakeCase, field)
    .meta({ description: 'The fields, in the order of a record. An empty value is an optional string.' });
  const rules = z
    .array(rule)
    .min(1, 'must have at least one rule')
    .max(maxRules, `must have at most ${maxRules} rules`)
    .optional()
    .meta({ description: 'Rules between the fields of a record, which hold after every write.' });
  return {
    record: z.strictObject({
      kind: z.literal('record').meta({ description: 'A top-level record.' }),
      ...resourceKeys,
      operations: operationList('record'),
      unique,
      list,
      fields,
      rules,
      transitions: z
        .record(kebabCase, transition(field))
        .optional()
        .meta({ description: 'Changes of a field between states; each is served as POST <path>/{id}/<name>.' }),
      locked_in: z
        .array(z.string())
        .min(1, 'must name at least one state')
        .optional()
        .meta({
          description:
            'The states in which no update changes a record, nothing deletes it, and its line items stay as they are; ' +
            'transitions still move it.',
        }),
      except: fieldNames('The fields that updates can change while the record is locked.'),
      states: z.literal('closed', 'must be closed or left out').optional().meta({
        description: 'closed: only transitions set the fields that they move; a create begins with the default.',
      }),
    }),
    'line-item': z.strictObject({
      kind: z.literal('line-item').meta({ description: 'A child record, listed by its parent.' }),
      ...resourceKeys,
      operations: operationList('line-item'),
      parent: parent.meta({ description: 'The parent of a line item.' }),
      unique,
      list,
      fields,
      rules,
    }),
    singleton: z.strictObject({
      kind: z.literal('singleton').meta({ description: 'Settings: exactly one record, present from the start.' }),
      ...resourceKeys,
      operations: operationList('singleton'),
      fields,
      rules,
    }),
  };
};

function isTimeZone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }));
  } catch {
    return false;
  }
}

/** The value of a constant. */
export const constantValue = z.union(
  [z.string(), z.number(), z.boolean()],
  'must be a string, a number, true or false',
);

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
      constantValue.meta({ description: 'The value of the defaults that are written as { constant: <name> }.' }),
    )
    .optional()
    .meta({ description: 'Values that defaults of fields refer to by name.' }),
  enums: z
    .record(snakeCase, enumValues.meta({ description: 'The values of the fields that are written with enum: <name>.' }))
    .optional()
    .meta({ description: 'Lists of values that enums of fields refer to by name: `priority: [low, high]`.' }),
  events: events.meta({
    description:
      'Whether what is done to records is noted as events, where a resource says nothing else; on by default.',
  }),
  time_zone: z
    .string()
    .refine(isTimeZone, 'must be a time zone, like Europe/Amsterdam')
    .optional()
    .meta({ description: 'The time zone whose day `default: today` is; UTC by default.' }),
  accepted_breaks: z
    .record(z.string(), sentence.meta({ description: 'The reason to accept the change.' }))
    .optional()
    .meta({ description: 'Breaking changes by their ids in `npm run changes`, each with the reason to accept it.' }),
});

export type WrittenService = z.infer<typeof serviceSchema>;
export type WrittenList = z.infer<typeof list>;
export type WrittenUnique = z.infer<typeof unique>;
