import { maxShownErrors } from '../limits.ts';
import { ApiError, CliError, type FieldError } from '../../kernel/model/errors.ts';
import { updatable } from '../../kernel/model/shapes.ts';
import { schemaOf } from '../../kernel/model/table.ts';
import { quoted } from '../../kernel/model/text.ts';
import { validate } from '../../kernel/model/validate.ts';
import { printJson } from '../../kernel/values/json-text.ts';
import type { Resource } from './resource.ts';
import type { Source } from './source.ts';
import type { RowError, SourceRow } from './source-row.ts';

/** Checks a row as the server does. @returns all that is wrong with it */
export function checkRow({ body, table }: Resource, row: SourceRow): readonly RowError[] {
  const errors = [...row.errors];
  const unread = new Set(errors.map(({ column }) => column));
  const broken = errorsOf(row.updates ? updatable(schemaOf(table)) : body, row.body).map(({ pointer, message }) =>
    locateError(row, pointer, message),
  );
  // A cell that cannot be read is missing in the body.
  if (!unread.has('')) errors.push(...broken.filter(({ column }) => !unread.has(column)));
  const bytes = Buffer.byteLength(printJson(row.body));
  if (bytes > table.maxBody) {
    errors.push({ line: row.line, column: '', message: `has ${bytes} bytes, but at most ${table.maxBody} are taken` });
  }
  return errors;
}

/** The fields that every row must have. */
function missingFields({ body, fields }: Resource): string[] {
  const missing = new Set(
    errorsOf(body, {}).flatMap(({ pointer, code }) => (code === 'missing' ? [pointer.slice(1)] : [])),
  );
  return fields.flatMap(({ name }) => (missing.has(name) ? [name] : []));
}

function errorsOf(schema: Resource['body'], body: unknown): readonly FieldError[] {
  try {
    validate(schema, body);
    return [];
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.extensions.errors ?? [];
  }
}

/** The place that a pointer into the body of a row leads to. */
export function locateError(row: SourceRow, pointer: string, message: string): RowError {
  const field = pointer.slice(1).replaceAll('~1', '/').replaceAll('~0', '~');
  if (field === '') return { line: row.line, column: '', message };
  const value = row.body[field];
  const isShown = typeof value === 'string' && message.startsWith('must ') && !message.includes(', not ');
  return { ...row.locate(field), message: isShown ? `${message}, not ${quoted(value)}` : message };
}

/** Like `leads.csv:12: amount must be a number, like 1234.5, not "a lot"`. */
export const describeError = (file: string, { line, column, message }: RowError): string =>
  `${file}:${line}: ${column === '' ? 'the row' : column} ${message}`;

/** The contents of a file. */
export interface Checked {
  readonly rows: number;
  /** The number of valid rows that update records. */
  readonly updates: number;
  /** The number of rows that cannot be imported. */
  readonly invalid: number;
  /** The first errors of them. */
  readonly errors: readonly RowError[];
  readonly errorCount: number;
}

/**
 * @param key by it, rows find records, and only rows that find none must have all fields of a new one
 * @throws CliError if no column of a file can be a field that every row must have
 */
export function requireColumns(resource: Resource, { fields }: Source, key?: string): void {
  const needed = key === undefined ? missingFields(resource) : [key];
  const missing = fields ? needed.filter((name) => !fields.has(name)) : [];
  if (missing.length === 0) return;
  throw new CliError(
    `The file has no column for ${missing.join(', ')}, which every ${resource.table.title} must have. ` +
      'Add it, or name the column that holds it with `--map "COLUMN=FIELD"`.',
  );
}

/** Checks each row of a source. @param onRow is told how many were read */
export async function checkFile(resource: Resource, source: Source, onRow: (rows: number) => void): Promise<Checked> {
  const shown: RowError[] = [];
  let rows = 0;
  let updates = 0;
  let invalid = 0;
  let errorCount = 0;
  for await (const row of source.rows) {
    const errors = checkRow(resource, row);
    rows++;
    if (errors.length > 0) invalid++;
    else if (row.updates) updates++;
    errorCount += errors.length;
    shown.push(...errors.slice(0, maxShownErrors - shown.length));
    onRow(rows);
  }
  return { rows, updates, invalid, errors: shown, errorCount };
}
