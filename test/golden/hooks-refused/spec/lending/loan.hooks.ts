import { limit } from './limit.ts';

export type { Limit } from './limit.ts';
export * from './limit.ts';
export { limit as beforeReportLost, limit as beforeReturn } from './limit.ts';

export const codes = {
  TooMany: 'Not in snake_case.',
  not_found: 'Every service has it.',
  computed: `${limit}`,
  too_many: ('Fine.' as const),
};

export const beforeCrate = () => {};
export function beforeUpdate() {}
export const [first] = [limit];
export default limit;
export enum Kind {}
const hidden = 1;
