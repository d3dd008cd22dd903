// Generated from spec/. Edit the spec, then run `npm run generate`.

export { paymentReconciliationOfInvoicesAndAdvancesTable } from './accounts/payment-reconciliation-of-invoices-and-advances.schema.ts';
export { paymentReconciliationPaymentOfAnAdvanceTable } from './accounts/payment-reconciliation-payment-of-an-advance.schema.ts';
