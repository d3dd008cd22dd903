// Generated from spec/. Edit the spec, then run `npm run generate`.
import * as client from '../runtime/client/index.ts';
import { paymentReconciliationOfInvoicesAndAdvancesOperations } from './accounts/payment-reconciliation-of-invoices-and-advances.client.ts';
import { paymentReconciliationPaymentOfAnAdvanceOperations } from './accounts/payment-reconciliation-payment-of-an-advance.client.ts';

const resources = (requests: client.Requests) => ({
  accounts: {
    paymentReconciliationOfInvoicesAndAdvances: paymentReconciliationOfInvoicesAndAdvancesOperations(requests),
    paymentReconciliationPaymentOfAnAdvance: paymentReconciliationPaymentOfAnAdvanceOperations(requests),
  },
});

/** Makes a client of Shop. */
export const createClient = (options: client.ClientOptions) => client.connect(options, '/api', resources);

export { ApiFailure, type ClientOptions, type Problem } from '../runtime/client/index.ts';
export type * from './accounts/payment-reconciliation-of-invoices-and-advances.client.ts';
export type * from './accounts/payment-reconciliation-payment-of-an-advance.client.ts';
