import type { FieldError } from '../../../client/failure.ts';
import { type Field, isDecimal, isFree, isNumeric } from './model.ts';
import { texts } from './texts.ts';
import type { Allowed, Kind } from './texts/wording.ts';
import { textOf } from './value-text.ts';

function kindOf(field: Field): Kind {
  if (isFree(field)) return 'json';
  if (field.type === 'array') return 'list';
  if (isDecimal(field)) return 'number';
  return field.type === 'string' ? 'text' : (field.type as Kind);
}

/** The digits that the pattern of a decimal allows. */
function digitsOf(pattern = ''): Pick<Allowed, 'digits' | 'decimals'> {
  const [, whole] = /\[1-9\]\\d\{0,(\d+)\}/.exec(pattern) ?? [];
  const [, decimals = '0'] = /\\d\{1,(\d+)\}\)\?\$$/.exec(pattern) ?? [];
  return { digits: whole === undefined ? 0 : Number(whole) + 1, decimals: Number(decimals) };
}

function allowedIn(field: Field | undefined): Allowed {
  if (!field) return {};
  const { limits = {}, maxLength, values } = field;
  const { pattern, minLength, maxItems, minimum = limits['x-minimum'], maximum = limits['x-maximum'] } = limits;
  const text = (limit: number | string | undefined): string | undefined =>
    limit === undefined ? undefined : textOf(limit, field);
  const count = (limit: number | undefined): string | undefined =>
    limit === undefined ? undefined : textOf(limit, { type: 'integer' });
  return {
    kind: kindOf(field),
    ...(isNumeric(field) && { minimum: text(minimum), maximum: text(maximum) }),
    minLength: count(minLength),
    maxLength: count(maxLength ?? maxItems ?? limits['x-max-bytes']),
    ...(isDecimal(field) && digitsOf(pattern)),
    pattern,
    values: values?.join(', '),
  };
}

/**
 * The fault of a value, to follow the name of its field, by the code and by what the document says of the field. A code that is
 * not known, and one without words of its own, has the words of the service.
 */
export function faultText({ code, message }: Pick<FieldError, 'code' | 'message'>, field?: Field): string {
  const words: Readonly<Partial<Record<string, (allowed: Allowed) => string>>> = texts.faults;
  return words[code]?.(allowedIn(field)) ?? message;
}

/** An error of a body with its place. */
interface PlacedFault {
  /** The field, as the pointer has it. */
  readonly name: string;
  /** Whether it is one of the fields. */
  readonly isField: boolean;
  /** The fault, to follow the name of the field. */
  readonly message: string;
}

/** Words an error of a body, and finds its field by the first segments of its pointer, which may lead through a batch. */
export function faultAt(error: FieldError, fields: readonly Field[]): PlacedFault {
  const [, key = '', at = ''] = error.pointer.replace(/^\/operations\/\d+\/body/, '').split('/');
  const name = key.replaceAll('~1', '/').replaceAll('~0', '~');
  const field = fields.find((one) => one.name === name);
  const isEntry = /^\d+$/.test(at);
  const plain = faultText(error, isEntry ? field?.of : field);
  return { name, isField: field !== undefined, message: isEntry ? texts.wrong.entry(Number(at) + 1, plain) : plain };
}
