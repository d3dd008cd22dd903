import type { Attack } from '../attack.ts';
import { attachmentPath, batchPath, leadPath, orderLinePath, requestOf } from '../requests.ts';
import { mebibyte } from '../sizes.ts';
import { refused } from './refused.ts';

/** One body that must be refused, sent by so many clients at once. */
const body = (name: string, what: string, count: number, path: string, make: () => string | Uint8Array): Attack => ({
  name,
  what: count === 1 ? `one body ${what}` : `${count} bodies ${what}`,
  async run(target) {
    const bytes = requestOf('POST', path, { body: make(), last: true });
    await target.times(count, () => refused(target, bytes));
  },
});

/** Repeats a text until it has nearly so many bytes. */
const filled = (bytes: number, text: string): string => text.repeat(Math.floor(bytes / Buffer.byteLength(text)));

/** A text with its end cut off. */
const without = (text: string, length: number): string => text.slice(0, -length);

const large = 16 * mebibyte - 100;
const small = mebibyte - 100;

export const jsonAttacks: readonly Attack[] = [
  body('reference-path', 'of 16 MiB with one path of references', 2, batchPath, () => {
    return `{"operations":[{"method":"POST","path":"${filled(large, '/{result:}')}"}]}`;
  }),
  body('duplicate-keys', 'of 1 MiB with one key again and again', 8, leadPath, () => {
    return `{${without(filled(small, '"city":"x",'), 1)}}`;
  }),
  body('duplicate-keys-16mib', 'of 16 MiB with one key again and again', 1, attachmentPath, () => {
    return `{"order_id":"x",${without(filled(large, '"data":"x",'), 1)}}`;
  }),
  body('deep-objects', 'of 16 MiB of objects within objects', 1, attachmentPath, () => {
    return filled(large, '{"a":');
  }),
  body('deep-and-closed', 'of 16 MiB of arrays within arrays, all of them closed', 1, attachmentPath, () => {
    return `{"data":${'['.repeat(large / 2 - 50)}${']'.repeat(large / 2 - 50)}}`;
  }),
  body('many-values', 'of 16 MiB with an array of 8 million numbers', 1, attachmentPath, () => {
    return `{"data":[${without(filled(large, '0,'), 1)}]}`;
  }),
  body('many-objects', 'of 16 MiB with an array of 5 million objects', 1, attachmentPath, () => {
    return `{"data":[${without(filled(large, '{},'), 1)}]}`;
  }),
  body('one-long-key', 'of 16 MiB with one key that has all of it', 1, attachmentPath, () => {
    return `{"${'k'.repeat(large)}":0}`;
  }),
  body('long-keys', 'of 1 MiB with ten keys of 100 KB', 8, leadPath, () => {
    return `{${Array.from({ length: 10 }, (_, n) => `"${'k'.repeat(100_000)}${n}":0`).join(',')}}`;
  }),
  body('long-number', 'of 16 MiB with one number that has all of it', 1, attachmentPath, () => {
    return `{"page_count":${'9'.repeat(large)}}`;
  }),
  body('escapes', 'of 16 MiB of escaped lone surrogates', 1, attachmentPath, () => {
    return `{"data":"${filled(large, '\\ud800')}"}`;
  }),
  body('emoji', 'of 16 MiB of emoji in a field that takes 65,536', 1, attachmentPath, () => {
    return `{"title":"${filled(large, '🙂')}"}`;
  }),
  body('white-space', 'of 16 MiB of white space', 4, attachmentPath, () => ' '.repeat(large)),
  body('broken-end', 'of 16 MiB of which the last byte is wrong', 4, attachmentPath, () => {
    return `{"data":"${'x'.repeat(large)}"]`;
  }),
  body('broken-utf-8', 'of 16 MiB that is not UTF-8', 4, attachmentPath, () => {
    return Buffer.from(`{"data":"${'x'.repeat(large)}\xff"}`, 'latin1');
  }),
  body('reorder-unknown', 'of 1 MiB, a reorder of 50,000 items', 8, `${orderLinePath}/reorder`, () => {
    return `{"items":[${without(filled(small, '{"id":"x","idx":1},'), 1)}]}`;
  }),
];
