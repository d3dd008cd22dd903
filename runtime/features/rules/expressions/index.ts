/** The functions that generated rules call, on the server and in browsers. */
export { decimal } from '../../../kernel/values/decimal.ts';
export { violationsOf } from './evaluate.ts';
export { logic } from './logic.ts';
export type * from './logic.ts';
export { finite, integer, quotient, remainder } from '../../../kernel/values/numbers.ts';
export { hasOne } from './lists.ts';
export { compareText, fitText, matches, size } from '../../../kernel/values/text.ts';
export { between, day, dayIn, hour, minute, moved, second } from '../../../kernel/values/time.ts';
