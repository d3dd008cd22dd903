import type { CellValue } from '../../../../data/transfer/cells.ts';
import type { RowError, SourceRow } from '../../../../data/transfer/source-row.ts';
import { brokenNumberLimit, brokenTextLimit, type Rule } from '../../../../kernel/model/value-rules.ts';
import { patternOf } from '../../../../kernel/values/pattern.ts';
import type { FieldError } from '../../../../client/failure.ts';
import type { Value } from '../api.ts';
import { faultText } from '../fault-text.ts';
import { fieldOf, type Field, type Resource } from '../model.ts';
import { editableFields } from '../record/draft.ts';
import { brokenRules } from '../record/rules.ts';
import { inputOf, startingValues } from '../record/values.ts';

/** Finds the rule of the OpenAPI document that a value of a field breaks, which a cell was read as. @returns a function that says which it is */
function checkerOf(field: Field): (value: CellValue | undefined) => string | undefined {
  const { required, nullable, values, maxLength, format, limits = {} } = field;
  const { minLength: min, pattern, minimum, maximum } = limits;
  const compiled = pattern === undefined ? undefined : patternOf(pattern);
  // The pattern of a format may describe it in part, and its words would be of no help.
  const textLimits = {
    ...(min && { min }),
    ...(maxLength && { max: maxLength }),
    pattern: format ? undefined : compiled,
  };
  const numberLimits = { min: minimum ?? -Infinity, max: maximum ?? Infinity };
  const broken = (value: CellValue | undefined): Rule<FieldError['code']> | undefined => {
    if (value === undefined) return required ? { code: 'missing', message: 'is required' } : undefined;
    if (value === null) return nullable ? undefined : { code: 'null_not_allowed', message: 'must not be null' };
    if (typeof value === 'number') {
      // JSON would carry it as null.
      if (!Number.isFinite(value)) return { code: 'too_large', message: 'must be a smaller number' };
      return brokenNumberLimit(value, numberLimits);
    }
    if (typeof value !== 'string') return undefined;
    if (values && !values.includes(value)) {
      const allowed = values.map((one) => JSON.stringify(one)).join(', ');
      return { code: 'not_in_enum', message: `must be one of ${allowed}` };
    }
    if (format === 'email' && compiled?.test(value) === false)
      return { code: 'invalid_email', message: 'must be an email address, like name@example.com' };
    return brokenTextLimit(value, textLimits);
  };
  return (value) => {
    const rule = broken(value);
    return rule && faultText(rule, field);
  };
}

/**
 * Checks rows by what the OpenAPI document says of their fields, so that all errors of a file are known before a record is stored.
 * The server checks more, like other formats; nothing that it takes is refused here.
 */
export function rowChecker(resource: Resource): (row: SourceRow) => readonly RowError[] {
  const checkers = editableFields(resource).map((field) => [field.name, checkerOf(field)] as const);
  return (row) => {
    const unread = new Set(row.errors.map(({ column }) => column));
    // A cell that cannot be read is missing in the body.
    if (unread.has('')) return row.errors;
    const broken = checkers.flatMap(([name, check]): RowError[] => {
      const place = row.locate(name);
      const message = check(row.body[name]);
      return message === undefined || unread.has(place.column) ? [] : [{ ...place, message }];
    });
    return [...row.errors, ...broken];
  };
}

/** The rules of forms that a row breaks as it is: a hook may still change it. */
export function rulesBrokenBy(resource: Resource, row: SourceRow): readonly RowError[] {
  const edits = Object.entries(row.body).map(
    ([name, value]) => [name, inputOf(value as Value, fieldOf(resource, name))] as const,
  );
  const base = startingValues(editableFields(resource));
  const rules = row.errors.length > 0 ? [] : brokenRules(resource, { base, edits: Object.fromEntries(edits) });
  return rules.map(({ field, message }) => ({
    ...(field ? row.locate(field) : { line: row.line, column: '' }),
    message,
  }));
}
