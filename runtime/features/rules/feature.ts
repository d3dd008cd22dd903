import type { Feature } from '../../kernel/feature.ts';
import { describeRules, logic, ruleViolated } from './write-part.ts';
import { totalOwnersOf } from './total-owners.ts';
import type { TableLogic, Trait } from '../../kernel/model/table.ts';

/** Computed fields, rules about a whole record, and totals over line items, which stay true with each write. */
export const rules: Feature = {
  name: 'rules',
  write: logic,
  owners: totalOwnersOf,
  errors: [ruleViolated],
  describe: describeRules,
  migration: async () => (await import('./compare.ts')).migration,
};

/** Records keep rules, and fields of them are computed. */
export const ruled =
  (tableLogic: TableLogic): Trait =>
  (table) => ({ ...table, logic: tableLogic });
