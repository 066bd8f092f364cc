/**
 * The rest of the payments service: its other ten endpoints, as functions that take the client of `transfer-checkout/server-kit/core`, and
 * the signatures of the service's own side.
 */
export {
  type App,
  type AppRegistration,
  type AppUpdate,
  appEndpoints,
  registerApp,
  updateApp,
} from './app.ts';
export {
  type DedicatedAccount,
  type DedicatedAccountListQuery,
  type DedicatedAccountRequest,
  type DedicatedAccountRequestResult,
  type DedicatedAccountStatus,
  dedicatedAccountEndpoints,
  listDedicatedAccounts,
  requestDedicatedAccount,
  retrieveDedicatedAccount,
  toDedicatedAccountView,
} from './dedicated-account.ts';
export { createDialect, type DialectChoices, type ServiceDialect } from './dialect.ts';
export { endpoints, type Operation } from './endpoints.ts';
export {
  cancelInvoice,
  type Invoice,
  type InvoiceCancelRequest,
  type InvoiceStatus,
  invoiceEndpoints,
} from './invoice.ts';
export type { List, Page } from './list.ts';
export { toMajorUnits, toMinorUnits } from './minor-units.ts';
export {
  type ConfirmationState,
  listPayouts,
  type Payout,
  type PayoutListQuery,
  type PayoutStatus,
  payoutEndpoints,
  retrievePayout,
} from './payout.ts';
export {
  type SignCallbackInput,
  signCallback,
  type VerifyRequestInput,
  verifyRequest,
} from './signatures.ts';
export {
  listTaxRates,
  retrieveTaxRate,
  type TaxRate,
  type TaxRateListQuery,
  type TaxType,
  taxRateEndpoints,
} from './tax-rate.ts';
