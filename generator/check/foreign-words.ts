/** The names that other languages have for types and formats, with the type or format of a spec. */
const types: Readonly<Record<string, readonly string[]>> = {
  integer: ['int', 'int32', 'int64', 'bigint', 'smallint', 'long', 'short', 'serial', 'whole'],
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
    'a field with the id of another record is a string, which is not checked: leave this out. Only the parent of a ' +
      'line item is checked: kind: line-item, with parent: { field, resource }',
  ],
  [
    ['unique', 'uniquetogether', 'uniquekey', 'uniqueindex'],
    'records are not compared with each other: leave this out, and filter the list by the field before a create',
  ],
  [
    ['immutable', 'writeonce', 'final'],
    'write read_only: true if no client sets the field; every other field can be updated',
  ],
  [
    ['computed', 'calculated', 'formula', 'expression', 'virtual'],
    'the service stores what clients send: leave this out, and have them send the value',
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
    ['decimal', 'numeric', 'money', 'currency', 'precision', 'scale', 'digits'],
    'a number is a double, which rounds: write type: integer for an amount in the smallest unit, like cents',
  ],
  [
    ['array', 'dict', 'set', 'list', 'object', 'json', 'jsonb', 'map', 'mapping', 'struct'],
    'a field has one value, and line items are a resource of kind line-item',
  ],
  [
    ['now', 'now()', 'today', 'today()', 'currenttimestamp', 'currentdate'],
    'a default is the same in every record: leave it out. The time of the create is created_at',
  ],
];

/** A word without capitals and separators. */
const plain = (word: string): string => word.toLowerCase().replaceAll(/[-_ $]/g, '');

/** The type or format that a name of another language means. */
export const typeMeant = (name: string): string | undefined =>
  Object.keys(types).find((type) => types[type]?.includes(name.toLowerCase()));

/** A suggestion for a key, type or default of another language, to follow it; undefined for other words. */
export function foreignWordHint(word: string): string | undefined {
  const hint = hints.find(([words]) => words.includes(plain(word)))?.[1];
  return hint && `; ${hint}`;
}
