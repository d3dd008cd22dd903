// Generated from spec/library/loan.yaml. Edit the spec, then run `npm run generate`.
import { dayIn, logic } from '../../runtime/features/rules/expressions/index.ts';
import type { Loan } from './loan.client.ts';

export const loanLogic = logic<Loan>({
  url: import.meta.url,
  name: 'loanLogic',
  form: {
    Company: ({ borrower_kind }) => borrower_kind === 'company',
    "It's late": ({ due_on }, time) => due_on !== null && due_on < dayIn('UTC', time),
  },
});
