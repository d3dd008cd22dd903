/** The functions that generated rules call, on the server and in browsers. */
export { decimal } from './decimal.ts';
export { violationsOf } from './evaluate.ts';
export { logic } from './logic.ts';
export type * from './logic.ts';
export { finite, integer, quotient, remainder } from './numbers.ts';
export { hasOne } from './lists.ts';
export { fitText, matches } from './text.ts';
export { between, moved } from './time.ts';
export { compareText, size } from '../../../kernel/values/text.ts';
export { day, dayIn, hour, minute, second } from '../../../kernel/values/time.ts';
