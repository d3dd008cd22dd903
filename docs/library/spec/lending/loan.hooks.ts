import type { LoanHooks } from '../../generated/lending/loan.schema.ts';

const highestFine = 25;
const dayLength = 24 * 60 * 60 * 1000;

/** A loan that comes back late costs a fine for each day. */
export const beforeReturn: LoanHooks['beforeReturn'] = async ({ record, create }) => {
  const days = Math.floor((Date.now() - Date.parse(record.due_on)) / dayLength);
  const amount = Math.min(days * Number(record.fine_per_day), highestFine);
  if (days > 0 && amount > 0) await create('lending/fine', { loan_id: record.id, amount: amount.toFixed(2) });
};
