import { written } from '../../../kernel/values/time.ts';
import { finite } from './numbers.ts';

/** The milliseconds from one time or day to another. @throws RangeError if one of them is none */
export const between = (from: string, to: string): number => finite(Date.parse(to) - Date.parse(from));

/** A time or a day, moved by milliseconds: by whole days for a day. @throws RangeError as `written` */
export const moved = (time: string, milliseconds: number): string =>
  written(Date.parse(time) + milliseconds).slice(0, time.length);
