/**
 * Errors that no JSON Schema can see, by the message that the check has for them, each with the reason. All others
 * count as visible: a new check is visible until it is listed here.
 */
export const invisible: readonly (readonly [message: RegExp, reason: string])[] = [
  [/^YAML: /, 'the file is not YAML: an editor says so itself'],
  [/^the (?:byte 0x|control character U|line ends with a carriage)|^the file is in UTF-16/, 'bytes that are no text'],
  [/^the file is nested more than/, 'the check reads no further, and the schema rejects what is above'],
  [/duplicate key/, 'JSON has no repeated keys: an editor says so itself'],
  [/^the key .* must be a string/, 'JSON has no other keys than strings'],
  [/^the path must be /, 'the path of the file'],
  [/^the file is missing|^there is no resource; describe the first one/, 'another file'],
  [/: spec\/service\.yaml has no constant /, 'another file'],
  [/^there is no resource /, 'another file'],
  [/ is a line item, and a line item cannot be a parent$/, 'another file'],
  [/^the (?:name|title) .* is taken by /, 'another file'],
  [/^the name gives the type | gives the operation id /, 'names that become the same elsewhere'],
  [/^a resource cannot be called /, 'the path of the file'],
  [/^\S+ is still the name of /, 'a name that must not be declared elsewhere in the file, or in another file'],
  [/: a required field of a singleton is null until it is set/, 'the kind beside the field'],
  [
    /: the (?:default|backfill) .* (?:must|is) /,
    'a value against the limits, the enum, the format or the constant beside it',
  ],
  [/: max(?:_length)? is smaller than min/, 'two values against each other'],
  [/: the pattern (?:is|has|nests) |: a pattern is written without slashes/, 'what is inside of a string'],
  [/: no text (?:of .* )?matches the pattern$/, 'what is inside of a string'],
  [/ of a request body(?:; raise max_body)?$/, 'values against each other'],
  [/: (?:m\w+_length|the pattern) .* ids? of \S+, such as /, 'another file'],
  [/^there is no field /, 'a name that must be declared elsewhere in the file'],
  [/ is renamed from \S+ too$/, 'two values against each other'],
  [/ names (?:the|a) parent .*(?:must|cannot) be /, 'the field that is declared elsewhere in the file'],
  [/^type_field and field must be different fields$/, 'two values against each other'],
  [/ moves \S+, which must be a string without format$/, 'the field that is declared elsewhere in the file'],
  [/(?:^|: )\S+ cannot be "/, 'the field that is declared elsewhere in the file'],
  [/ moves from .* to itself$/, 'two values against each other'],
];
