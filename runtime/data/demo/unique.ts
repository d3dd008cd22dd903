import type { z } from 'zod';
import { factsOf, type Value } from '../../kernel/model/fields.ts';
import { schemaOf, type Table } from '../../kernel/model/table.ts';
import { brokenRuleOf } from '../../kernel/model/validate.ts';
import { day } from '../../kernel/values/time.ts';

/** Lengths to which a number is filled up with zeros, as in a card number of 13 digits. */
const lengths = Array.from({ length: 20 }, (_, length) => length);

/** Values like another one that have a number in them, of which the rules of a field accept some. */
function numbered(value: Value | undefined, number: number): Value[] {
  if (typeof value === 'number') return [number];
  if (typeof value !== 'string') return [];
  const padded = lengths.map((length) => String(number).padStart(length, '0'));
  const date = /^\d{4}-\d{2}-\d{2}$/.test(value) ? [new Date(Date.parse(value) + number * day)] : [];
  return [
    ...date.map((time) => time.toISOString().slice(0, 10)),
    value.replace('@', `.${number}@`),
    value.replace(/\d+(?=\D*$)/, (digits) => String(number).padStart(digits.length, '0')),
    `${value} ${number}`,
    ...padded,
  ].filter((one) => one !== value);
}

/**
 * Gives a field of each unique key a value that no other record has, or none. A key of references alone gets another combination of
 * records for each turn.
 *
 * @param number another one for each record of the table
 * @param turn how many records of the table this run has made before
 * @param idsOf the records that a field can name; undefined for a field that is no reference
 * @returns false if a record without such a value is refused
 */
export function makeUnique(
  table: Table,
  body: Record<string, Value>,
  number: number,
  turn: number,
  idsOf: (field: string) => readonly string[] | undefined,
): boolean {
  const shape = schemaOf(table).shape as Readonly<Record<string, z.ZodType>>;
  const isGiven = (name: string): boolean => factsOf(shape[name] as z.ZodType).presence === 'server';
  return (table.unique ?? []).every(({ fields }) => {
    if (fields.some(isGiven)) return true;
    for (const name of fields.filter((field) => !idsOf(field)).toReversed()) {
      const field = shape[name] as z.ZodType;
      const value = numbered(body[name], number).find((one) => brokenRuleOf(field, one) === undefined);
      if (value === undefined) continue;
      body[name] = value;
      return true;
    }
    if (nameOthers(fields, body, turn, idsOf)) return true;
    const absent = fields.find((name) => factsOf(shape[name] as z.ZodType).isNullable);
    if (absent !== undefined) body[absent] = null;
    return absent !== undefined;
  });
}

/** Has the references of a key name records that they did not name together before. @returns false if all were named, or there are none */
function nameOthers(
  fields: readonly string[],
  body: Record<string, Value>,
  turn: number,
  idsOf: (field: string) => readonly string[] | undefined,
): boolean {
  let rest = turn;
  for (const field of fields) {
    const ids = idsOf(field) ?? [];
    if (ids.length === 0 || body[field] === undefined) continue;
    body[field] = ids[rest % ids.length] as string;
    rest = Math.floor(rest / ids.length);
  }
  return rest === 0 && fields.some((field) => body[field] !== undefined && idsOf(field)?.length);
}
