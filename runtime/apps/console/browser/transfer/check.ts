import type { CellValue } from '../../../../data/transfer/cells.ts';
import type { RowError, SourceRow } from '../../../../data/transfer/source.ts';
import { size } from '../../../../rules/text.ts';
import type { Value } from '../api.ts';
import type { Field, Resource } from '../model.ts';
import { editableFields } from '../record/draft.ts';
import { brokenRules } from '../record/rules.ts';
import { inputOf, startingValues } from '../record/values.ts';

const isDay = (value: string): boolean => {
  const time = Date.parse(value);
  return /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(time) && new Date(time).toISOString().startsWith(value);
};

/** The rule of the OpenAPI document that a value breaks, in the words of the server. */
function brokenBy(value: CellValue | undefined, { required, nullable, values, maxLength, format }: Field) {
  if (value === undefined) return required ? 'is required' : undefined;
  if (value === null) return nullable ? undefined : 'must not be null';
  if (typeof value !== 'string') return undefined;
  if (values && !values.includes(value)) return `must be one of ${values.map((one) => JSON.stringify(one)).join(', ')}`;
  if (maxLength !== undefined && size(value) > maxLength) return `must be at most ${maxLength} characters long`;
  return format === 'date' && !isDay(value) ? 'must be a real date, written YYYY-MM-DD' : undefined;
}

/**
 * Checks a row by what the OpenAPI document says of its fields, so that all errors of a file are known before a record is stored.
 * The server checks more; nothing that it takes is refused here.
 */
export function checkRow(resource: Resource, row: SourceRow): readonly RowError[] {
  const unread = new Set(row.errors.map(({ column }) => column));
  // A cell that cannot be read is missing in the body.
  if (unread.has('')) return row.errors;
  const fields = editableFields(resource);
  const broken = fields.flatMap((field): RowError[] => {
    const place = row.locate(field.name);
    const message = brokenBy(row.body[field.name], field);
    return message === undefined || unread.has(place.column) ? [] : [{ ...place, message }];
  });
  return [...row.errors, ...broken];
}

/** The rules of forms that a row breaks as it is: a hook may still change it. */
export function rulesBrokenBy(resource: Resource, row: SourceRow): readonly RowError[] {
  const edits = Object.entries(row.body).map(([name, value]) => [name, inputOf(value as Value)] as const);
  const stored = startingValues(editableFields(resource));
  const rules = row.errors.length > 0 ? [] : brokenRules(resource, { stored, edits: Object.fromEntries(edits) });
  return rules.map(({ field, message }) => ({
    ...(field ? row.locate(field) : { line: row.line, column: '' }),
    message,
  }));
}
