import { formatRule } from '../../runtime/kernel/model/formats.ts';
import type { FieldType } from '../model/model.ts';
import { withArticle } from '../model/names.ts';

/** The type of an expression. */
export type Type =
  | {
      readonly is: 'string';
      /** The values that it can have, if it is an enum or a literal. */
      readonly values?: readonly string[];
      /** Why its texts have no order that means something. */
      readonly unordered?: string;
    }
  | { readonly is: 'decimal'; readonly scale: number }
  | { readonly is: 'list'; readonly of: Type }
  | { readonly is: 'int' | 'double' | 'bool' | 'date' | 'timestamp' | 'duration' | 'json' | 'record' | 'null' };

export const int: Type = { is: 'int' };
export const double: Type = { is: 'double' };
export const bool: Type = { is: 'bool' };
export const string = { is: 'string' } as const;
export const date: Type = { is: 'date' };
export const timestamp: Type = { is: 'timestamp' };
export const duration: Type = { is: 'duration' };
export const decimalOf = (scale: number): Type => ({ is: 'decimal', scale });

const nouns: Readonly<Record<Type['is'], string>> = {
  string: 'string',
  int: 'integer',
  double: 'number',
  decimal: 'decimal',
  bool: 'boolean',
  date: 'date',
  timestamp: 'date-time',
  duration: 'duration',
  list: 'list',
  json: 'JSON object or array',
  record: 'record',
  null: 'null',
};

/** The type with its article, as messages name it. */
export const nounOf = ({ is }: Type): string => (is === 'null' ? 'null' : withArticle(nouns[is]));

export const isNumeric = ({ is }: Type): boolean => is === 'int' || is === 'double' || is === 'decimal';

/** The type of a field's values. */
export function typeOf(field: FieldType): Type {
  switch (field.type) {
    case 'integer':
      return int;
    case 'number':
      return double;
    case 'boolean':
      return bool;
    case 'decimal':
      return decimalOf(field.scale);
    case 'date':
      return date;
    case 'date-time':
      return timestamp;
    case 'json':
      return { is: 'json' };
    case 'list':
      return { is: 'list', of: typeOf(field.of) };
    case 'enum':
      return { is: 'string', values: field.values, unordered: 'the values of an enum have no order' };
    case 'reference':
      return { is: 'string', unordered: 'ids have no order that means anything' };
    case 'time':
      return { is: 'string', unordered: 'times of day have offsets, so their texts are not in their order' };
    case 'text':
      return string;
    default:
      return formatRule(field.type).order === 'none'
        ? { is: 'string', unordered: 'values of this format have no order' }
        : string;
  }
}
