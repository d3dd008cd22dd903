/** The names that other languages have for types and formats, with the type or format of a spec. */
const types: Readonly<Record<string, readonly string[]>> = {
  integer: ['int', 'int32', 'int64', 'bigint', 'smallint', 'long', 'short', 'serial', 'whole'],
  decimal: ['numeric', 'money', 'currency', 'bigdecimal'],
  number: ['float', 'float32', 'float64', 'double', 'real'],
  boolean: ['bool', 'flag', 'bit', 'checkbox'],
  string: ['text', 'str', 'varchar', 'char', 'longtext', 'clob'],
  'date-time': ['datetime', 'timestamp', 'timestamptz', 'instant', 'date_time'],
  uuid: ['guid'],
  uri: ['url', 'href'],
  email: ['mail', 'e-mail'],
};

/** The words of other languages for what a spec cannot say, each list with what to write instead. */
const hints: readonly (readonly [words: readonly string[], hint: string])[] = [
  [
    [
      'references',
      'reference',
      'link',
      'ref',
      'foreignkey',
      'fk',
      'belongsto',
      'hasmany',
      'hasone',
      'relation',
      'relationship',
    ],
    'a field with the id of another record is written { references: <area>/<resource> }, with on_delete: restrict, set_null ' +
      'or cascade; the parent of a line item is kind: line-item, with parent: { field, resource }',
  ],
  [
    ['uniquetogether', 'uniquekey', 'uniqueindex', 'uniqueconstraint', 'isunique', 'distinct'],
    'write unique: true at a field, or unique: [[company, code]] at the resource for several together',
  ],
  [
    ['immutable', 'writeonce', 'createonly', 'final', 'frozen', 'editable', 'updatable'],
    'write immutable: true at a field that no update changes, immutable: once_set if it is null until it is set, and ' +
      'read_only: true if no client sets it',
  ],
  [
    ['computed', 'calculated', 'formula', 'expression', 'virtual', 'generated'],
    'a field that follows from others is written { type: number, computed: price * quantity }, in CEL',
  ],
  [
    [
      'validate',
      'validates',
      'validation',
      'validations',
      'validator',
      'check',
      'checks',
      'constraint',
      'constraints',
      'assert',
      'invariant',
      'invariants',
    ],
    'a condition on several fields is written rules: [{ that: "ends_on >= starts_on", message: … }], at the resource',
  ],
  [
    ['permissions', 'permission', 'roles', 'acl', 'access'],
    'leave this out: each API key has scopes, which `npm run keys` gives it',
  ],
  [
    ['index', 'indexes', 'indices', 'indexed', 'dbindex'],
    'name the field in list: { filter: [] } or list: { sort: [] }, which have an index',
  ],
  [['primarykey', 'pk', 'autoincrement', 'identity'], 'leave this out: every record has an id, which the service sets'],
  [
    ['numeric', 'money', 'currency', 'precision', 'decimalplaces', 'scale', 'digits'],
    'an exact number is written { type: decimal, digits: 12, scale: 2 }, with 2 of its 12 digits behind the point',
  ],
  [
    ['array', 'set', 'list', 'items', 'elements', 'multiple', 'multi', 'many', 'repeated', 'multiselect'],
    'several strings or integers are written { type: list, of: string }; line items are a resource of kind line-item',
  ],
  [
    ['dict', 'object', 'json', 'jsonb', 'map', 'mapping', 'struct'],
    'a field has one value or a list of them, and line items are a resource of kind line-item',
  ],
  [
    ['notnull', 'nonnull', 'nonnullable', 'null', 'allownull', 'blank', 'optional'],
    'write required: true, or nullable: false with a default; every other field may be null',
  ],
  [
    ['choices', 'options', 'oneof', 'allowedvalues', 'picklist'],
    'write enum: [a, b], or enum: <name> for a list of the enums of spec/service.yaml',
  ],
  [
    ['now', 'now()', 'autonow', 'autonowadd', 'today', 'today()', 'currenttimestamp', 'currentdate'],
    'write default: now for the time of the create, which a date-time holds, and default: today for its day, a date',
  ],
];

/** A word without capitals and separators. */
export const plain = (word: string): string => word.toLowerCase().replaceAll(/[-_ $]/g, '');

/** The type or format that a name of another language means. */
export const typeMeant = (name: string): string | undefined =>
  Object.keys(types).find((type) => types[type]?.includes(name.toLowerCase()));

/** A suggestion for a key, type or default of another language, to follow it; undefined for other words. */
export function foreignWordHint(word: string): string | undefined {
  const hint = hints.find(([words]) => words.includes(plain(word)))?.[1];
  return hint && `; ${hint}`;
}
