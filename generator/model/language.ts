import { z } from 'zod';
import { maxDigits } from '../../runtime/kernel/model/decimals.ts';
import { deletionRules } from '../../runtime/kernel/model/fields.ts';
import { maxEntries, maxJsonBytes, maxListLimit } from '../../runtime/kernel/model/limits.ts';
import { type Format, formats } from '../../runtime/kernel/model/formats.ts';
import { defaultOperations, type Kind, type OperationName } from '../../runtime/kernel/model/operations.ts';

/** The most values in a list that a field can state as its `max_items`; without it, there are `maxEntries`. */
const mostListItems = maxListLimit;

/** The names that no transition has: those of operations, of which clients have two more: all pages of a list, and its counts. */
export const reservedTransitionNames: readonly string[] = [...defaultOperations('record'), 'each', 'count'];

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

/** The largest `max_bytes` of a free object, which is read again at each change of its record. */
const maxMaxJson = 1024 ** 2;

/** The largest number of values of an enum: the generated types name each of them. */
const maxEnumValues = 1_000;

/** A read with `expand` looks for a record in the table of each. */
const maxTargets = 10;

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

/** A key that needs another one beside it. @param why completes "it needs this:" */
const needing = (key: string, needed: string, why: string): KeyRule => ({
  key,
  needs: [needed],
  words: `${key} needs ${needed}: ${why}`,
});

/** Keys that cannot stand beside another one. @param why follows "it cannot be combined with this" */
const notBeside = (other: string, keys: readonly string[], why = ''): readonly KeyRule[] =>
  keys.map((key) => ({ key, not: other, words: `${key} cannot be combined with ${other}${why}` }));

/** A rule about one value of `nullable`. */
const nullable = (is: boolean, rule: Pick<KeyRule, 'not' | 'needs'>, words: string): KeyRule => ({
  key: 'nullable',
  is,
  ...rule,
  words: `nullable: ${is} ${words}`,
});

/** The rules about the keys of a field. */
export const fieldRules: readonly KeyRule[] = [
  ...notBeside('format', ['enum', 'pattern', 'min_length', 'max_length']),
  ...notBeside('enum', ['pattern', 'min_length', 'max_length']),
  ...notBeside('computed', ['required', 'read_only', 'immutable', 'unique', 'references', 'backfill', 'default_from']),
  ...notBeside('computed', ['min', 'max', 'min_length', 'pattern']),
  ...notBeside('computed', ['default'], ': if the value is never null, write nullable: false'),
  ...notBeside(
    'always',
    'required nullable default default_from backfill read_only immutable unique computed references enum min_length'.split(
      ' ',
    ),
    ': each request that changes the record sets the field, and no client does',
  ),
  { key: 'always', is: 'actor', not: 'format', words: 'always: actor needs a string without a format' },
  { key: 'always', is: 'now', needs: ['format'], words: 'always: now needs format: date-time' },
  { key: 'always', is: 'today', needs: ['format'], words: 'always: today needs format: date' },
  ...notBeside(
    'sequence',
    ['required', 'nullable', 'read_only', 'immutable', 'always', 'default_from'],
    ': only the service sets it, and always',
  ),
  ...notBeside('sequence', ['unique'], ', which is unique by itself'),
  ...notBeside('sequence', ['default', 'backfill', 'computed'], ', which numbers older records, too'),
  ...notBeside('sequence', ['format', 'enum', 'pattern', 'min_length', 'max_length', 'references']),
  ...notBeside('references', ['format', 'enum', 'pattern', 'min_length', 'max_length']),
  ...notBeside('references', ['default'], ': a create names the record, and the actor is none'),
  ...notBeside('references', ['backfill']),
  ...notBeside('default_from', ['default'], ': it says what a create stores that leaves the field out'),
  ...notBeside('default_from', ['references'], ': a create has to name the record itself'),
  ...notBeside('default_from', ['nullable'], ': required: true refuses null, and any other field may be null'),
  needing('on_delete', 'references', 'it is about the record that is named'),
  {
    key: 'on_delete',
    is: 'set_null',
    not: 'required',
    words: 'on_delete: set_null needs an optional field, which can be null',
  },
  { key: 'on_delete', is: 'set_null', not: 'immutable', words: 'on_delete: set_null cannot change an immutable field' },
  needing('on_missing', 'references', 'it is about values that name no record'),
  needing('inverse', 'references', 'it is what the record that is named calls these'),
  ...notBeside('required', ['on_missing'], ': set_null needs an optional field, which can be null'),
  nullable(true, { needs: ['required'] }, 'needs required: an optional field is nullable without it'),
  nullable(false, { not: 'required' }, 'cannot be combined with required: a required field is not nullable without it'),
  nullable(false, { needs: ['default', 'computed'] }, 'needs a default: write default, or required: true'),
  ...notBeside('read_only', ['immutable'], ': no client sets the field'),
  ...notBeside('required', ['read_only'], ': no client sets the field'),
  {
    key: 'backfill',
    needs: ['required', 'nullable'],
    words: 'backfill needs required or nullable: false: null is a value of all other fields',
  },
  nullable(true, { not: 'backfill' }, 'cannot be combined with backfill: null is a value of the field'),
  ...notBeside(
    'required',
    ['default'],
    ': every create sends the field; for one that may be left out and is never null, write nullable: false in place of required',
  ),
];

/** Characters of the longest actor. */
export const actorLength = 100;

/** Why a string cannot hold an actor. */
export const actorWords = `an actor needs a string of ${actorLength} characters, without a pattern`;

/** The keys of fields that no input of a transition has: they are about what is stored. */
export const storedKeys =
  'always default_from computed sequence read_only unique immutable renamed_from backfill on_delete on_missing inverse colors'.split(
    ' ',
  );

/** The rules about a field that is unique by itself. */
export const uniqueRules = [
  {
    key: 'unique',
    not: 'default',
    words: 'two records that leave the field out would clash; remove the default or unique',
  },
  {
    key: 'unique',
    not: 'default_from',
    words: 'two records that copy from the same one would clash; remove default_from or unique',
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
  sequenceInSingleton: 'a singleton has one record, so that nothing is numbered; remove sequence',
  cascadeInSingleton: 'cascade is not possible: a singleton cannot be deleted',
  defaultFromInSingleton: 'no client creates a singleton, which has nothing to copy then; remove default_from',
  inverseInSingleton: 'a singleton is one record, and an inverse is a list; remove inverse',
} as const;

/** The rules about the keys of a record. */
export const recordRules: readonly KeyRule[] = [
  needing('except', 'locked_in', 'it names the fields that can change in these states'),
  needing('locked_in', 'transitions', 'it names states of the field that they move'),
  { key: 'states', needs: ['transitions'], words: 'states: closed needs transitions: nothing else sets a state then' },
];

/** The rules about the keys of `parent`. */
export const parentRules = notBeside('resource', ['type_field'], ', which is the type of every parent');

/** The parts of `list` that decide what requests can ask for, each a list of fields. */
export const listKeys = ['filter', 'sort', 'search'] as const;

export type ListKey = (typeof listKeys)[number];

/** The parts of `list` that decide what is counted and summed, each a list of fields. */
export const countKeys = ['count', 'sum'] as const;

export type CountKey = (typeof countKeys)[number];

/** The fields that no filter of a list with counts has: parameters of these have their names. */
export const countParameters: readonly string[] = ['by', 'sum'];

/** The largest number of columns that a spec names: more do not fit on a screen. */
const maxColumns = 12;

/** The fields that no filter has: parameters of lists have their names. */
export const listParameters: readonly string[] = 'limit offset after sort q fields expand parent_id'.split(' ');

/** A string that matches a pattern, with the message that the check and editors show. */
const matching = (pattern: RegExp, words: string) =>
  z.string().regex(pattern, words).meta({ patternErrorMessage: words });

const snakePattern = '[a-z][a-z0-9]*(?:_[a-z0-9]+)*';

export const snakeCase = matching(
  new RegExp(`^${snakePattern}$`),
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

/** A key that may be left out, with the description that editors show. */
const optional = <T extends z.ZodType>(description: string, value: T) => value.optional().describe(description);

const flag = (description: string) => optional(description, z.literal(true, 'must be true or left out'));

const formerNames = (description: string) =>
  optional(description, z.union([snakeCase, z.array(snakeCase).min(1, 'must name at least one name')]));

const doc = optional('A sentence for readers of the API and of the code.', sentence);

/** The colors that the console shows states in. */
export const stateColors = ['green', 'blue', 'yellow', 'red', 'grey'] as const;

const common = {
  required: flag('A create must send the field. On update no field is required.'),
  nullable: optional(
    'true, only with required: the key must be sent, and its value may be null. false, only with default: null is refused.',
    z.boolean('must be true or false'),
  ),
  read_only: flag('Only the service sets the field: a create cannot, and an update can only repeat its value.'),
  unique: flag('No two records of an organization have the same value; null is no value.'),
  immutable: optional(
    'true: a create sets the field, and no update changes it. once_set: it is null until it is set, and then stays.',
    z.literal([true, 'once_set'], 'must be true or once_set'),
  ),
  default_from: optional(
    'The field of another record whose value a create copies if it leaves this one out: `customer.currency` of the record that customer_id names, `setup/rental-settings.tax_rate` of settings.',
    matching(
      new RegExp(`^(?:${snakePattern}|${kebabPattern}/${kebabPattern})\\.${snakePattern}$`),
      'must be <reference>.<field>, like customer.currency, or <area>/<settings>.<field>, like setup/rental-settings.tax_rate',
    ).meta({ examples: ['customer.currency', 'setup/rental-settings.tax_rate'] }),
  ),
  computed: optional(
    'The value of the field in CEL, from other fields, line items or records that reference this one: `price * quantity`, `sum(items.amount)`. No client sets it.',
    sentence,
  ),
  renamed_from: formerNames('The former name of the field, or several: the column is renamed and keeps its data.'),
};

const constant = z.strictObject({ constant: snakeCase.describe('The name of a constant in spec/service.yaml.') });

/** The keys of a type that hold values of it. */
const valuesOf = <T extends z.ZodType>(value: T) => ({
  default: optional(
    'The value that the field gets when a create leaves it out, and in older rows: a literal, or a constant. Of a date-time also now, of a date today, and of a string actor.',
    z.union([value, constant]),
  ),
  backfill: optional(
    'The value of a required field in rows that hold none, because they are older than the rule.',
    value,
  ),
  example: optional('A value that the OpenAPI document shows; one that fits the name by default.', value),
});

const length = (description: string) => optional(description, z.int().min(0, 'must not be negative'));

/** A former name of a value: a key of an object. */
const formerValue = matching(/^(?!__proto__$)/, 'must not be __proto__');

/** A list of values that a field can have. */
export const enumValues = z
  .array(
    z.union([
      z.string(),
      z.strictObject({
        value: z.string().describe('The value.'),
        renamed_from: z
          .union([formerValue, z.array(formerValue).min(1, 'must name at least one name')])
          .describe('The former name of the value, or several: rows that hold one get the present name.'),
      }),
    ]),
  )
  .min(1, 'must name at least one value')
  .max(maxEnumValues, `must name at most ${maxEnumValues} values`);

const resourceKey = matching(
  new RegExp(`^${kebabPattern}/${kebabPattern}$`),
  'must be <area>/<resource> in kebab-case, like crm/sales-stage',
);

const references = optional(
  'The resource whose records the field names, each by its id: the record must exist. Of several, [crm/lead, crm/customer], the prefix of the id says which.',
  z.union(
    [
      resourceKey,
      z
        .array(resourceKey)
        .min(1, 'must name at least one resource')
        .max(maxTargets, `must name at most ${maxTargets} resources`),
    ],
    'must be <area>/<resource>, like crm/lead, or a list of them, like [crm/lead, crm/customer]',
  ),
);

const onDelete = optional(
  'What happens if the record that the field names is deleted: restrict refuses the delete (the default), set_null clears the field, cascade deletes this record too.',
  z.enum(deletionRules),
);

const onMissing = optional(
  'What the start that adds the reference does with values that name no record: set_null clears the field; without it, the start is refused.',
  z.literal('set_null', 'must be set_null or left out'),
);

const inverse = optional(
  'What the record that the field names calls these: with `inverse: orders` at customer_id, `expand=orders` shows the orders of a customer.',
  snakeCase,
);

/** A list that a spec gives; the type of its values is checked later. */
const listValue = z.array(z.union([z.string(), z.int()]));

/** The keys of a field, by its type. */
export const fieldTypes = {
  string: z.strictObject({
    type: optional('The default, which is left out.', z.literal('string')),
    format: optional('The format of the string.', z.enum(Object.keys(formats) as [Format, ...Format[]])),
    ...common,
    ...valuesOf(z.string()),
    min_length: length('The smallest number of characters (code points).'),
    max_length: length('The largest number of characters (code points); 65536 by default.'),
    pattern: optional('A regular expression (ECMAScript, u flag) that matches a part of the value.', z.string()),
    enum: optional(
      'The allowed values, or the name of a list of them in spec/service.yaml. A value is renamed by { value: scarlet, renamed_from: crimson }.',
      z.union([enumValues, z.string()]),
    ),
    references,
    on_delete: onDelete,
    on_missing: onMissing,
    inverse,
    always: optional(
      'Each request that changes the record sets the field, and no client does: actor (as events name it), now of a date-time, today of a date.',
      z.enum(['actor', 'now', 'today'], 'must be actor, or now of a date-time, or today of a date'),
    ),
    colors: optional(
      'The colors that the console shows states in: `{ lost: red }`. It changes no request.',
      z.record(z.string(), z.enum(stateColors)),
    ),
    sequence: optional(
      'Numbers the records of an organization in the order of their creation, without gaps: `INV-{yyyy}-{0000}`, with {yyyy}, {yy} and {mm} of the creation. No client sets it.',
      z.string('must be a pattern like "INV-{yyyy}-{0000}"'),
    ),
    doc,
  }),
  integer: z.strictObject({
    type: z.literal('integer').describe('A whole number between -(2^53 - 1) and 2^53 - 1.'),
    ...common,
    ...valuesOf(z.int()),
    min: optional('The smallest value.', z.int()),
    max: optional('The largest value.', z.int()),
    doc,
  }),
  number: z.strictObject({
    type: z.literal('number').describe('A finite double.'),
    ...common,
    ...valuesOf(z.number()),
    min: optional('The smallest value.', z.number()),
    max: optional('The largest value.', z.number()),
    doc,
  }),
  decimal: z.strictObject({
    type: z.literal('decimal').describe('An exact decimal number, like an amount of money: a string like "12.50".'),
    ...common,
    ...valuesOf(z.string()),
    digits: z
      .int()
      .min(1, 'must be at least 1')
      .max(maxDigits, `must be at most ${maxDigits}, which 64 bits hold`)
      .describe('The digits in all, before and behind the point; at most 18.'),
    scale: z.int().min(0, 'must not be negative').describe('The digits behind the point: 2 for 12.50.'),
    min: optional('The smallest value, as a string.', z.string()),
    max: optional('The largest value, as a string.', z.string()),
    doc,
  }),
  list: z.strictObject({
    type: z.literal('list').describe('Several values in their order: an array of strings or integers.'),
    ...common,
    ...valuesOf(listValue),
    default: optional('The list that the field gets when a create leaves it out, and in older rows.', listValue),
    of: z
      .unknown()
      .describe('The type of each value: string, integer, or a mapping like { max_length: 40 } or { enum: [a, b] }.'),
    max_items: optional(
      `The largest number of values; ${maxEntries} by default.`,
      z
        .int()
        .min(1, 'must be at least 1')
        .max(mostListItems, `must be at most ${mostListItems}; what has more is a resource of kind line-item`),
    ),
    unique_items: flag('No value is in a list twice.'),
    doc,
  }),
  json: z.strictObject({
    type: z.literal('json').describe('An object or an array of any form, returned as it was sent.'),
    required: common.required,
    nullable: common.nullable,
    read_only: common.read_only,
    immutable: common.immutable,
    default_from: common.default_from,
    renamed_from: common.renamed_from,
    max_bytes: optional(
      `The largest number of bytes as JSON without white space; ${maxJsonBytes} by default.`,
      z.int().min(2, 'must be at least 2').max(maxMaxJson, `must be at most ${maxMaxJson}`),
    ),
    doc,
  }),
  boolean: z.strictObject({
    type: z.literal('boolean').describe('true or false.'),
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
export type WrittenField =
  | z.infer<(typeof fieldTypes)[Exclude<FieldTypeName, 'json'>]>
  | (z.infer<(typeof fieldTypes)['json']> & {
      readonly [Key in 'default' | 'backfill' | 'example' | 'computed']?: never;
    });

const someFields = z.array(z.string()).min(1, 'must name at least one field');

const rule = z
  .strictObject({
    when: optional('The condition under which the rule applies, in CEL; always if absent.', sentence),
    that: sentence.describe(
      'The condition that must hold, in CEL, about fields of the record and of those that it references: ' +
        '`ends_on == null || ends_on >= starts_on`, `customer.is_blocked == false`.',
    ),
    message: sentence.describe('The message for the client whose write breaks the rule.'),
    field: optional('The field that the message is about; the whole record if absent.', snakeCase),
  })
  .describe('A rule between the fields of a record: a write that breaks it is refused with 422.');

/** The words of `set` that stand for a value of the request. */
export const setWords = ['now', 'today', 'actor'] as const;

const literal = z.union([z.string(), z.number(), z.boolean(), listValue, z.null()]);

const setValue = z.union(
  [
    z.enum(setWords),
    literal.meta({ examples: ['input.reason', null] }),
    z.strictObject({
      value: literal.describe('The value, also a text that is now, today, actor or begins with input.'),
    }),
  ],
  'must be now, today, actor, input.<name of an input>, null or a value of the field; { value: now } is the text',
);

const transition = <F extends z.ZodType>(field: F) =>
  z
    .strictObject({
      field: optional('The field that changes; `status` by default.', snakeCase),
      from: z
        .union([z.string(), z.array(z.string()).min(1, 'must name at least one state')])
        .describe('The state or states that the transition starts from.'),
      to: optional('The state that the transition ends in; without it, the record keeps its state.', z.string()),
      requires: optional('The fields that must not be null: it is refused with 422.', someFields),
      that: optional(
        'The condition that a record must meet once it has moved, in CEL; with a message of its own, `{ that, message, field }`.',
        z.union([rule.shape.that, rule.pick({ that: true, message: true, field: true })]),
      ),
      input: optional(
        'The fields of its body, which may be left out unless they are required. `set` says which fields of the record they set.',
        z.record(snakeCase, field),
      ),
      set: optional(
        'The fields that the transition sets: `submitted_at: now`, `submitted_on: today`, `submitted_by: actor` (as events name it), `reason: input.reason`, `remarks: null`, `reminders: 0`; `{ value: now }` is the text.',
        z.record(snakeCase, setValue),
      ),
    })
    .describe('An operation of its own of records in some states, which moves them to another or sets fields.');

const parent = z.strictObject({
  field: snakeCase.describe("The field that holds the parent's id."),
  resource: optional(
    'The resource of the parent, if this service has it: a create must name a parent that exists.',
    resourceKey,
  ),
  type_field: optional('The field with the type of the parent, if its id alone does not identify it.', snakeCase),
});

const fieldNames = (description: string) => optional(description, someFields);

const wrongUnique =
  'must be a list of fields of its own, as in [[company, code]], or { fields: [email], ignore_case: true }; write ' +
  'unique: true at a field that is unique by itself';

const unique = optional(
  'Lists of fields: no two records of an organization have the same values in all fields of one of them. A record with a null in one of these fields is not compared.',
  z
    .array(
      z.union(
        [
          someFields,
          z.strictObject({
            fields: someFields.describe('The fields whose values are unique together.'),
            ignore_case: flag('Texts are the same if they only differ in case or accents, as searches compare them.'),
          }),
        ],
        wrongUnique,
      ),
      wrongUnique,
    )
    .min(1, 'must name at least one field'),
);

const sortedField = z.strictObject({
  field: snakeCase.describe('The field that the list can be sorted by.'),
  ignore_case: flag('Texts that only differ in case or accents are together, as searches compare them.'),
});

const wrongSort = 'must name a field, as in name or { field: name, ignore_case: true }';

const list = optional(
  'The filters, sort orders, searched fields, counts and sums of the list, beside `id` and `created_at`, and its columns in the console.',
  z.strictObject({
    filter: fieldNames('The fields that a list can be filtered by. Each is an index, which each create writes to.'),
    sort: optional(
      'The fields that a list can be sorted by, or { field, ignore_case: true } for strings without regard to case and accents. Each is an index, which each create writes to.',
      z.array(z.union([z.string(), sortedField], wrongSort)).min(1, 'must name at least one field'),
    ),
    search: fieldNames('The strings whose words `q` finds, in one full-text index.'),
    count: fieldNames(
      'The fields that the records of a list are counted by: GET <path>/count?by=status. Each is an index, which each create writes to.',
    ),
    sum: fieldNames('The numbers that are summed over the records of a list, or over those of each count.'),
    columns: optional(
      'The fields that the console shows of each record, in this order; a few of them by default. It changes no request.',
      someFields.max(maxColumns, `must name at most ${maxColumns} fields`),
    ),
  } satisfies Record<ListKey | CountKey | 'columns', unknown>),
);

const wrongRecordTitle =
  'must name a field, several as in [first_name, last_name], or a path like copy_id.book_id.title';

const fieldPath = matching(/^[a-z][a-z0-9]*(?:[_.][a-z0-9]+)*$/, wrongRecordTitle);

const recordTitle = optional(
  'What the console calls a record: a field, several, or a field of a record that it names, `copy_id.book_id.title`. It changes no request.',
  z.union([fieldPath, z.array(fieldPath).min(1, 'must name at least one field')], wrongRecordTitle),
);

const form = optional(
  'The groups of fields in the forms of the console; fields without a group come last. It changes no request.',
  z
    .array(
      z
        .strictObject({
          title: phrase.describe('The heading of the group.'),
          fields: someFields.describe('The fields of the group, in this order.'),
          show_if: optional(
            'The condition under which the group is shown, in CEL, about fields of the record: `kind == "company"`; always if absent.',
            sentence,
          ),
        })
        .describe('Fields that belong together, under a heading.'),
    )
    .min(1, 'must have at least one group'),
);

const operationList = (kind: Kind) =>
  optional(
    `The operations of the resource; by default all of ${defaultOperations(kind).join(', ')}.`,
    z.array(z.enum<OperationName[]>(defaultOperations(kind))).min(1, 'must name at least one operation'),
  );

const onOrOff = z.enum(['on', 'off'], 'must be on or off');

const resourceKeys = {
  name: optional('The resource in ids, tables and types, in snake_case; the name of the file by default.', snakeCase),
  title: optional('One record in running text, like "BOM item"; the name with spaces by default.', phrase),
  plural: optional('Several records in running text, if the plural is irregular.', phrase),
  doc: sentence.describe('A sentence that describes one record.'),
  renamed_from: formerNames('The former name of the resource, or several: the table is renamed and keeps its rows.'),
  max_body: optional(
    'The largest request body: bytes, or a size like 16 MiB; 1 MiB by default.',
    z.union(
      [
        z.int().min(1, 'must be at least 1 byte'),
        matching(/^[1-9]\d* (KiB|MiB)$/, 'must be a size like 512 KiB or 16 MiB, or a number of bytes'),
      ],
      'must be a size like 512 KiB or 16 MiB, or a number of bytes',
    ),
  ),
  events: optional(
    'Whether what is done to records is noted as events; by default as spec/service.yaml says.',
    onOrOff,
  ),
};

/** The schemas of a resource file, by kind; `field` is the schema of each field. */
export const resourceKinds = <F extends z.ZodType>(field: F) => {
  const fields = z
    .record(snakeCase, field)
    .describe('The fields, in the order of a record. An empty value is an optional string.');
  const rules = optional(
    'Rules between the fields of a record, which hold after every write.',
    z.array(rule).min(1, 'must have at least one rule').max(maxRules, `must have at most ${maxRules} rules`),
  );
  return {
    record: z.strictObject({
      kind: z.literal('record').describe('A top-level record.'),
      ...resourceKeys,
      operations: operationList('record'),
      unique,
      list,
      record_title: recordTitle,
      form,
      fields,
      rules,
      transitions: optional(
        'Changes of a field between states; each is served as POST <path>/{id}/<name>.',
        z.record(kebabCase, transition(field)),
      ),
      locked_in: optional(
        'The states in which no update changes a record, nothing deletes it, and its line items stay as they are; transitions still move it.',
        z.array(z.string()).min(1, 'must name at least one state'),
      ),
      except: fieldNames('The fields that updates can change while the record is locked.'),
      archive: flag(
        'Records can be archived: lists leave them out unless they ask for them, and nothing changes them until they are unarchived.',
      ),
      states: optional(
        'closed: only transitions set the fields that they move; a create begins with the default.',
        z.literal('closed', 'must be closed or left out; the states are the values of the field that transitions move'),
      ),
    }),
    'line-item': z.strictObject({
      kind: z.literal('line-item').describe('A child record, listed by its parent.'),
      ...resourceKeys,
      operations: operationList('line-item'),
      parent: parent.describe('The parent of a line item.'),
      unique,
      list,
      record_title: recordTitle,
      fields,
      rules,
    }),
    singleton: z.strictObject({
      kind: z.literal('singleton').describe('Settings: exactly one record, present from the start.'),
      ...resourceKeys,
      operations: operationList('singleton'),
      form,
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
  name: kebabCase
    .max(63, 'must be at most 63 characters long, which is what databases allow')
    .describe('The realm of WWW-Authenticate, the application_name on PostgreSQL, and the mark of SQLite files.'),
  title: sentence.describe('The name of the service, for people.'),
  doc: sentence.describe('A description of the service.'),
  version: matching(/^\d+\.\d+\.\d+$/, 'must be three numbers, like 1.0.0').describe('The version of the API.'),
  license: sentence.describe('The SPDX identifier of the licence.'),
  contact: optional(
    'Whom to ask about the API.',
    z.strictObject({
      name: optional('The person or the team.', phrase),
      url: optional('A page.', matching(/^https?:\/\/\S+$/, 'must be a URL, like https://example.com')),
      email: optional(
        'An email address.',
        matching(/^[^\s@]+@[^\s@]+$/, 'must be an email address, like name@example.com'),
      ),
    }),
  ),
  areas: optional(
    'The names of areas for people, where the name of the folder does not tell it: `crm: CRM`.',
    z.record(kebabCase, phrase.describe('The name of the area.')),
  ),
  constants: optional(
    'Values that defaults of fields refer to by name.',
    z.record(snakeCase, constantValue.describe('The value of the defaults that are written as { constant: <name> }.')),
  ),
  enums: optional(
    'Lists of values that enums of fields refer to by name: `priority: [low, high]`.',
    z.record(snakeCase, enumValues.describe('The values of the fields that are written with enum: <name>.')),
  ),
  events: optional(
    'Whether what is done to records is noted as events, where a resource says nothing else; on by default.',
    onOrOff,
  ),
  mcp: optional('Whether agents may use the service by the Model Context Protocol, at /mcp; on by default.', onOrOff),
  time_zone: optional(
    'The time zone whose day `default: today` is; UTC by default.',
    z.string().refine(isTimeZone, 'must be a time zone, like Europe/Amsterdam'),
  ),
  accepted_breaks: optional(
    'Breaking changes by their ids in `npm run changes`, each with the reason to accept it.',
    z.record(z.string(), sentence.describe('The reason to accept the change.')),
  ),
});

export type WrittenService = z.infer<typeof serviceSchema>;
export type WrittenList = z.infer<typeof list>;
export type WrittenUnique = z.infer<typeof unique>;
export type WrittenForm = z.infer<typeof form>;
export type WrittenRecordTitle = z.infer<typeof recordTitle>;
