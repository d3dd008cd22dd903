import { beforeAll, expect, test } from 'vitest';

import { faultText } from '../../runtime/apps/console/browser/fault-text.ts';
import type { FaultCode } from '../../runtime/apps/console/browser/texts/wording.ts';
import { relativeText } from '../../runtime/apps/console/browser/list/relative-dates.ts';
import type { Field } from '../../runtime/apps/console/browser/model.ts';
import { german } from '../../runtime/apps/console/browser/texts/de.ts';
import { loadTexts } from '../../runtime/apps/console/browser/texts.ts';
import { features } from '../../runtime/features.ts';
import { allCodes } from '../../runtime/kernel/model/error-codes.ts';
import { formats } from '../../runtime/kernel/model/formats.ts';

beforeAll(async () => {
  Object.defineProperty(navigator, 'language', { value: 'de-DE' });
  await loadTexts();
});

/** The words of the service itself are shown. */
const ownWords = new Set(['refused', 'rule_violated']);

test('every code of a problem and of a format has German words, and no others', () => {
  const codes = allCodes(features.list).map(({ code }) => code);
  expect(Object.keys(german.problems).toSorted()).toEqual(codes.filter((code) => !ownWords.has(code)).toSorted());
  // The compiler names those of the other errors in a body.
  const ofFormats = Object.values(formats).map(({ code }) => code);
  expect(Object.keys(german.faults)).toEqual(expect.arrayContaining(ofFormats));
});

const amount: Partial<Field> = {
  type: 'string',
  format: 'decimal',
  limits: { pattern: String.raw`^(?:0|[1-9]\d{0,2})(?:\.\d{1,2})?$` },
};

test.each<[code: FaultCode, field: Partial<Field>, words: string]>([
  ['too_long', { type: 'string', maxLength: 40 }, 'darf höchstens 40 Zeichen haben'],
  ['too_long', { type: 'array', limits: { maxItems: 5 } }, 'darf höchstens 5 Einträge haben'],
  ['too_long', { type: 'object', limits: { 'x-max-bytes': 400 } }, 'darf höchstens 400 Byte haben'],
  ['too_small', { type: 'integer', limits: { minimum: 0 } }, 'muss mindestens 0 sein'],
  ['too_small', { ...amount, limits: { ...amount.limits, 'x-minimum': '0.00' } }, 'muss mindestens 0.00 sein'],
  ['too_large', amount, 'darf höchstens 3 Stellen vor dem Komma haben'],
  ['invalid_decimal', amount, 'muss eine Zahl mit höchstens 2 Nachkommastellen sein'],
  ['not_in_enum', { type: 'string', values: ['new', 'used'] }, 'muss einer dieser Werte sein: new, used'],
  ['wrong_type', { type: 'boolean' }, 'muss Ja oder Nein sein'],
])('%s of %j', (code, field, words) => {
  expect(faultText({ code, message: 'is wrong' }, field as Field)).toBe(words);
});

test('relative dates are in the case that the words before them ask for', () => {
  const words = ['this-week', 'last-month', 'last-7d', 'today'].map((value) =>
    ['eq', 'lt'].map((operator) => relativeText(value, operator)),
  );
  expect(words).toEqual([
    ['in dieser Woche', 'dieser Woche'],
    ['im letzten Monat', 'dem letzten Monat'],
    ['in den letzten 7 Tagen', 'den letzten 7 Tagen'],
    ['heute', 'heute'],
  ]);
});

test('a code that is not known, and a rule, have the words of the service', () => {
  for (const code of ['rule_violated', 'of_a_newer_server'])
    expect(faultText({ code: code as 'refused', message: 'A lead has a name.' })).toBe('A lead has a name.');
});
