// Generated from spec/. Edit the spec, then run `npm run generate`.

export { paymentReconciliationOfInvoicesAndAdvancesRoutes } from './accounts/payment-reconciliation-of-invoices-and-advances.routes.ts';
export { paymentReconciliationPaymentOfAnAdvanceRoutes } from './accounts/payment-reconciliation-payment-of-an-advance.routes.ts';
