// Generated from spec/. Edit the spec, then run `npm run generate`.
import { Hono } from 'hono';
import type { Env, Service } from '../runtime/index.ts';
import * as routes from './routes.ts';
import * as tables from './tables.ts';

export const app = new Hono<Env>()
  .route('/api/accounts/bank-guarantee', routes.bankGuaranteeRoutes)
  .route('/api/accounts/discounted-invoice', routes.discountedInvoiceRoutes)
  .route('/api/accounts/invoice-discounting', routes.invoiceDiscountingRoutes)
  .route('/api/accounts/p-o-s-closing-entry-taxes', routes.posClosingEntryTaxesRoutes)
  .route('/api/accounts/p-o-s-item-group', routes.posItemGroupRoutes)
  .route('/api/accounts/payment-reconciliation-payment', routes.paymentReconciliationPaymentRoutes)
  .route('/api/accounts/pricing-rule-brand', routes.pricingRuleBrandRoutes)
  .route('/api/accounts/pricing-rule-item-code', routes.pricingRuleItemCodeRoutes)
  .route('/api/accounts/repost-payment-ledger', routes.repostPaymentLedgerRoutes)
  .route('/api/accounts/repost-payment-ledger-items', routes.repostPaymentLedgerItemsRoutes)
  .route('/api/accounts/subscription-settings', routes.subscriptionSettingsRoutes)
  .route('/api/assets/asset-shift-factor', routes.assetShiftFactorRoutes)
  .route('/api/core/address', routes.addressRoutes)
  .route('/api/crm/appointment-booking-settings', routes.appointmentBookingSettingsRoutes)
  .route('/api/crm/appointment-booking-slots', routes.appointmentBookingSlotsRoutes)
  .route('/api/crm/competitor', routes.competitorRoutes)
  .route('/api/crm/lead', routes.leadRoutes)
  .route('/api/crm/quotation', routes.quotationRoutes)
  .route('/api/crm/sales-stage', routes.salesStageRoutes)
  .route('/api/manufacturing/b-o-m-explosion-item', routes.bomExplosionItemRoutes)
  .route('/api/manufacturing/b-o-m-item', routes.bomItemRoutes)
  .route('/api/setup/quotation-lost-reason', routes.quotationLostReasonRoutes)
  .route('/api/signing/signing-document', routes.signingDocumentRoutes)
  .route('/api/signing/signing-document-data', routes.signingDocumentDataRoutes)
  .route('/api/stock/quality-inspection-parameter-group', routes.qualityInspectionParameterGroupRoutes)
  .route('/api/subcontracting/subcontracting-b-o-m', routes.subcontractingBomRoutes)
  .route('/api/support/issue', routes.issueRoutes);

export const service: Service = {
  name: 'business-records',
  title: 'Business Records',
  app,
  tables: Object.values(tables),
  openapi: new URL('./openapi.json', import.meta.url),
};
