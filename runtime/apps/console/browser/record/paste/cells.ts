import { type Field, isFree, isNumeric } from '../../model.ts';
import { texts } from '../../texts.ts';
import { checkerOf } from '../../transfer/check.ts';
import { type Readings, readTypedNumber } from '../typed-number.ts';
import { type Input, read } from '../values.ts';

/** A cell as the control of its field has it, and the reason if it is no value of the field. */
export interface CellReading {
  readonly input: Input;
  readonly problem?: string | undefined;
  /** Both meanings of a number that can be read in two ways. */
  readonly readings?: Readings | undefined;
}

type DatePart = 'year' | 'month' | 'day';

/** The order of year, month and day in the language of the browser. */
const dateOrder = (): readonly DatePart[] =>
  new Intl.DateTimeFormat().formatToParts(new Date(2026, 10, 22)).flatMap(({ type }) => {
    const part = (['year', 'month', 'day'] as const).find((one) => one === type);
    return part ? [part] : [];
  });

const exampleDate = (): string => new Intl.DateTimeFormat().format(new Date(2026, 10, 22));

const pad = (text: string): string => text.padStart(2, '0');

/** A day as the API writes it, from one in that form or as the language of the browser writes days, with all digits of the year. */
function dayIn(text: string): string | undefined {
  const numbers = /^(\d{1,4})[./-]\s?(\d{1,2})[./-]\s?(\d{1,4})\.?$/.exec(text)?.slice(1) ?? [];
  const isPlain = /^\d{4}-\d\d-\d\d$/.test(text);
  const order: readonly DatePart[] = isPlain ? ['year', 'month', 'day'] : dateOrder();
  const [year = '', month = '', day = ''] = (['year', 'month', 'day'] as const).map(
    (part) => numbers[order.indexOf(part)],
  );
  if (year.length !== 4 || month.length > 2 || day.length > 2) return undefined;
  const written = `${year}-${pad(month)}-${pad(day)}`;
  const time = Date.parse(`${written}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(written) ? written : undefined;
}

/** A date and time: one with a time zone, or one of the time zone of the browser. */
function instantIn(text: string): string | undefined {
  if (/^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/.test(text)) return Number.isNaN(Date.parse(text)) ? undefined : text;
  const [, date = '', hour = '', minute = '', second = '00', half = ''] =
    /^(.*?)[\s,T]+(\d{1,2}):(\d\d)(?::(\d\d))?\s*([ap])?\.?m?\.?$/i.exec(text) ?? [];
  const day = dayIn(date || text);
  if (day === undefined) return undefined;
  const hours = half === '' ? Number(hour) : (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  const time = new Date(`${day}T${pad(String(hours))}:${minute || '00'}:${second}`);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

const words = (): ReadonlyMap<string, boolean> =>
  new Map([
    ...['true', 'yes', 'wahr', 'ja', '1', 'x', texts.values.yes.toLowerCase()].map((word) => [word, true] as const),
    ...['false', 'no', 'falsch', 'nein', '0', texts.values.no.toLowerCase()].map((word) => [word, false] as const),
  ]);

/** Finds an allowed value, also in other case. */
const allowed = (values: readonly string[], text: string): string | undefined =>
  values.find((value) => value === text) ?? values.find((value) => value.toLowerCase() === text.toLowerCase());

function listIn(of: Field, text: string): CellReading {
  const separator = /[;\n]/.test(text) || isNumeric(of) ? /[;\n]/ : ',';
  const entries = text.split(separator).map((entry) => readCell(of, entry.trim()));
  const wrong = entries.find(({ problem }) => problem);
  return { input: wrong ? [text] : entries.map(({ input }) => String(input)), problem: wrong?.problem };
}

/** The content of the control for a cell. */
function inputIn(field: Field, text: string): CellReading {
  const { type, format, values, of } = field;
  if (of) return listIn(of, text);
  if (type === 'boolean') {
    const value = words().get(text.toLowerCase());
    return value === undefined ? { input: null, problem: texts.paste.yesOrNo } : { input: value };
  }
  if (values) {
    const value = allowed(values, text);
    return { input: value ?? text, problem: value === undefined ? texts.paste.oneOf(values.join(', ')) : undefined };
  }
  const day = format === 'date' ? dayIn : format === 'date-time' ? instantIn : undefined;
  if (!day) return { input: text };
  const value = day(text);
  return { input: value ?? text, problem: value === undefined ? texts.paste.date(exampleDate()) : undefined };
}

/** Reads a cell of a field that names no record. @param notation how a number is meant that can be read in two ways */
export function readCell(field: Field, text: string, notation?: keyof Readings): CellReading {
  const typed = isNumeric(field) ? readTypedNumber(text, field.type === 'integer') : { plain: '' };
  const readings = 'readings' in typed ? typed.readings : undefined;
  const cell = { ...inputIn(field, (notation && readings?.[notation]) ?? text), readings };
  if (cell.problem !== undefined) return cell;
  const reading = read(field, cell.input);
  if ('problem' in reading) return { ...cell, problem: reading.problem };
  const { value } = reading;
  const isChecked = !isFree(field) && (typeof value === 'number' || typeof value === 'string');
  return { ...cell, problem: isChecked ? checkerOf(field)(value) : undefined };
}
