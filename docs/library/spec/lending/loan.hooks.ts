import type { LoanHooks } from '../../generated/lending/loan.schema.ts';

export const codes = { too_many_loans: 'A member can have five loans at once.' };

const mostLoans = 5;
const finePerDay = 0.2;
const highestFine = 25;
const dayLength = 24 * 60 * 60 * 1000;

export const beforeCreate: LoanHooks['beforeCreate'] = async ({ record, read, update, refuse }) => {
  const member = await read('lending/member', record.member_id);
  if (!member) return;
  if (member.open_loans >= mostLoans) {
    return refuse('too_many_loans', `${member.name} has ${member.open_loans} loans already.`, 'member_id');
  }
  await update('lending/member', member.id, { open_loans: member.open_loans + 1 });
};

/** A loan that comes back late costs a fine for each day. */
export const beforeReturn: LoanHooks['beforeReturn'] = async ({ record, read, create, update }) => {
  const member = await read('lending/member', record.member_id);
  if (member) await update('lending/member', member.id, { open_loans: member.open_loans - 1 });
  const days = Math.floor((Date.now() - Date.parse(record.due_on)) / dayLength);
  const amount = Math.min(days * finePerDay, highestFine).toFixed(2);
  if (days > 0) await create('lending/fine', { loan_id: record.id, amount });
};

/** The undo of a return is an update, by which the member has the loan again. */
export const beforeUpdate: LoanHooks['beforeUpdate'] = async ({ record, before, read, update }) => {
  if (before.status !== 'returned' || record.status === 'returned') return;
  const member = await read('lending/member', record.member_id);
  if (member) await update('lending/member', member.id, { open_loans: member.open_loans + 1 });
};

export const beforeDelete: LoanHooks['beforeDelete'] = async ({ record, read, update }) => {
  if (record.status === 'returned') return;
  const member = await read('lending/member', record.member_id);
  if (member) await update('lending/member', member.id, { open_loans: member.open_loans - 1 });
};
