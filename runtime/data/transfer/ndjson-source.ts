import { keepTexts, membersOf } from '../../kernel/values/json-text.ts';
import { maxRowBytes } from '../limits.ts';
import { CliError } from '../../kernel/model/errors.ts';
import { type CellField, type CellValue, isExact } from './cells.ts';
import { describeFault } from './faults.ts';
import { unknownColumn } from './columns.ts';
import { FileText, type Source, type SourceOptions } from './source.ts';
import type { RowError, SourceRow } from './source-row.ts';

/** Opens a file with a JSON object in each line. @throws CliError if it cannot be read */
export function openNdjson({ file, fields, renames, fixed }: SourceOptions): Source {
  const content = new FileText(file);
  const readOnly = new Set<string>();
  const known = new Map(fields.map((field) => [field.name, field]));
  return {
    readOnly,
    emptyRows: 0,
    get part() {
      return content.part;
    },
    rows: (async function* () {
      for await (const { line, text } of linesOf(file, content)) {
        yield sourceRow(line, text, { fields, known, renames, fixed, readOnly });
      }
    })(),
  };
}

/** The lines that are not empty, with their numbers. */
async function* linesOf(file: string, content: FileText): AsyncGenerator<{ line: number; text: string }> {
  let rest = '';
  let line = 0;
  for await (const chunk of content.chunks()) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() as string;
    if (rest.length > maxRowBytes) {
      throw new CliError(
        `${file}:${line + lines.length + 1}: The line is longer than ${maxRowBytes / 1024 / 1024} MiB.`,
      );
    }
    for (const text of lines) {
      line++;
      if (text.trim() !== '') yield { line, text };
    }
  }
  if (rest.trim() !== '') yield { line: line + 1, text: rest };
}

interface Meaning {
  readonly fields: readonly CellField[];
  readonly known: ReadonlyMap<string, CellField>;
  readonly renames: ReadonlyMap<string, string>;
  readonly fixed: Readonly<Record<string, string>>;
  /** Takes the names that are left out. */
  readonly readOnly: Set<string>;
}

function sourceRow(line: number, text: string, { fields, known, renames, fixed, readOnly }: Meaning): SourceRow {
  const body: Record<string, CellValue> = {};
  const errors: RowError[] = [];
  const names = new Map<string, string>();
  const row = {
    line,
    body,
    errors,
    text,
    locate: (name: string) => ({ line, column: names.get(name) ?? name }),
  };
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    errors.push({ line, column: '', message: 'is not valid JSON' });
    return row;
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    errors.push({ line, column: '', message: 'must be a JSON object' });
    return row;
  }
  const members = /\d{16}/.test(text) ? membersOf(text) : undefined;
  const free = Object.keys(parsed).filter((name) => known.get(renames.get(name) ?? name)?.type === 'object');
  for (const [name, value] of Object.entries(keepTexts(parsed as Readonly<Record<string, unknown>>, text, free))) {
    // Only a number of so many digits can be rounded to another whole one.
    const number = typeof value === 'number' ? members?.get(name) : undefined;
    const written = number === undefined || isExact(number, value as number) ? undefined : number;
    const target = renames.get(name) ?? name;
    const field = known.get(target);
    const own = field?.reference ?? target;
    if (target === '') continue;
    if (field?.isReadOnly) {
      readOnly.add(name);
    } else if (!field) {
      errors.push({ line, column: name, message: unknownColumn(name, fields) });
    } else if (names.has(own)) {
      errors.push({ line, column: name, message: `is the field ${own}, as ${names.get(own)} is` });
    } else if (written !== undefined) {
      errors.push({
        line,
        column: name,
        message: describeFault({ code: 'digits', text: written, nearest: value as number }),
      });
    } else {
      names.set(own, name);
      body[target] = value as CellValue;
    }
  }
  Object.assign(body, fixed);
  return row;
}
