// Generated from spec/. Edit the spec, then run `npm run generate`.
import * as client from '../runtime/client/index.ts';
import { bankGuaranteeOperations } from './accounts/bank-guarantee.client.ts';
import { discountedInvoiceOperations } from './accounts/discounted-invoice.client.ts';
import { invoiceDiscountingOperations } from './accounts/invoice-discounting.client.ts';
import { posClosingEntryTaxesOperations } from './accounts/p-o-s-closing-entry-taxes.client.ts';
import { posItemGroupOperations } from './accounts/p-o-s-item-group.client.ts';
import { paymentReconciliationPaymentOperations } from './accounts/payment-reconciliation-payment.client.ts';
import { pricingRuleBrandOperations } from './accounts/pricing-rule-brand.client.ts';
import { pricingRuleItemCodeOperations } from './accounts/pricing-rule-item-code.client.ts';
import { repostPaymentLedgerOperations } from './accounts/repost-payment-ledger.client.ts';
import { repostPaymentLedgerItemsOperations } from './accounts/repost-payment-ledger-items.client.ts';
import { subscriptionSettingsOperations } from './accounts/subscription-settings.client.ts';
import { assetShiftFactorOperations } from './assets/asset-shift-factor.client.ts';
import { addressOperations } from './core/address.client.ts';
import { appointmentBookingSettingsOperations } from './crm/appointment-booking-settings.client.ts';
import { appointmentBookingSlotsOperations } from './crm/appointment-booking-slots.client.ts';
import { competitorOperations } from './crm/competitor.client.ts';
import { leadOperations } from './crm/lead.client.ts';
import { quotationOperations } from './crm/quotation.client.ts';
import { salesStageOperations } from './crm/sales-stage.client.ts';
import { bomExplosionItemOperations } from './manufacturing/b-o-m-explosion-item.client.ts';
import { bomItemOperations } from './manufacturing/b-o-m-item.client.ts';
import { quotationLostReasonOperations } from './setup/quotation-lost-reason.client.ts';
import { signingDocumentOperations } from './signing/signing-document.client.ts';
import { signingDocumentDataOperations } from './signing/signing-document-data.client.ts';
import { qualityInspectionParameterGroupOperations } from './stock/quality-inspection-parameter-group.client.ts';
import { subcontractingBomOperations } from './subcontracting/subcontracting-b-o-m.client.ts';
import { issueOperations } from './support/issue.client.ts';

const resources = (requests: client.Requests) => ({
  accounts: {
    bankGuarantee: bankGuaranteeOperations(requests),
    discountedInvoice: discountedInvoiceOperations(requests),
    invoiceDiscounting: invoiceDiscountingOperations(requests),
    posClosingEntryTaxes: posClosingEntryTaxesOperations(requests),
    posItemGroup: posItemGroupOperations(requests),
    paymentReconciliationPayment: paymentReconciliationPaymentOperations(requests),
    pricingRuleBrand: pricingRuleBrandOperations(requests),
    pricingRuleItemCode: pricingRuleItemCodeOperations(requests),
    repostPaymentLedger: repostPaymentLedgerOperations(requests),
    repostPaymentLedgerItems: repostPaymentLedgerItemsOperations(requests),
    subscriptionSettings: subscriptionSettingsOperations(requests),
  },
  assets: {
    assetShiftFactor: assetShiftFactorOperations(requests),
  },
  core: {
    address: addressOperations(requests),
  },
  crm: {
    appointmentBookingSettings: appointmentBookingSettingsOperations(requests),
    appointmentBookingSlots: appointmentBookingSlotsOperations(requests),
    competitor: competitorOperations(requests),
    lead: leadOperations(requests),
    quotation: quotationOperations(requests),
    salesStage: salesStageOperations(requests),
  },
  manufacturing: {
    bomExplosionItem: bomExplosionItemOperations(requests),
    bomItem: bomItemOperations(requests),
  },
  setup: {
    quotationLostReason: quotationLostReasonOperations(requests),
  },
  signing: {
    signingDocument: signingDocumentOperations(requests),
    signingDocumentData: signingDocumentDataOperations(requests),
  },
  stock: {
    qualityInspectionParameterGroup: qualityInspectionParameterGroupOperations(requests),
  },
  subcontracting: {
    subcontractingBom: subcontractingBomOperations(requests),
  },
  support: {
    issue: issueOperations(requests),
  },
});

/** Makes a client of Business Records. */
export const createClient = (options: client.ClientOptions) => client.connect(options, '/api', resources);

export { ApiFailure, type ClientOptions, type Problem } from '../runtime/client/index.ts';
export type * from './accounts/bank-guarantee.client.ts';
export type * from './accounts/discounted-invoice.client.ts';
export type * from './accounts/invoice-discounting.client.ts';
export type * from './accounts/p-o-s-closing-entry-taxes.client.ts';
export type * from './accounts/p-o-s-item-group.client.ts';
export type * from './accounts/payment-reconciliation-payment.client.ts';
export type * from './accounts/pricing-rule-brand.client.ts';
export type * from './accounts/pricing-rule-item-code.client.ts';
export type * from './accounts/repost-payment-ledger.client.ts';
export type * from './accounts/repost-payment-ledger-items.client.ts';
export type * from './accounts/subscription-settings.client.ts';
export type * from './assets/asset-shift-factor.client.ts';
export type * from './core/address.client.ts';
export type * from './crm/appointment-booking-settings.client.ts';
export type * from './crm/appointment-booking-slots.client.ts';
export type * from './crm/competitor.client.ts';
export type * from './crm/lead.client.ts';
export type * from './crm/quotation.client.ts';
export type * from './crm/sales-stage.client.ts';
export type * from './manufacturing/b-o-m-explosion-item.client.ts';
export type * from './manufacturing/b-o-m-item.client.ts';
export type * from './setup/quotation-lost-reason.client.ts';
export type * from './signing/signing-document.client.ts';
export type * from './signing/signing-document-data.client.ts';
export type * from './stock/quality-inspection-parameter-group.client.ts';
export type * from './subcontracting/subcontracting-b-o-m.client.ts';
export type * from './support/issue.client.ts';
