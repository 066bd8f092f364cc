import type { Operation } from '../../../service/endpoints.ts';
import { appOperations, taxRateOperations } from './apps-and-tax-rates.ts';
import { dedicatedAccountOperations } from './dedicated-accounts.ts';
import type { Handler } from './handler.ts';
import { invoiceOperations } from './invoices.ts';
import { checkoutOperations, paymentOperations } from './payments.ts';
import { payoutOperations } from './payouts.ts';

/** A handler for each endpoint. */
export const operations: { readonly [Op in Operation]: Handler<Op> } = {
  ...dedicatedAccountOperations,
  ...paymentOperations,
  ...checkoutOperations,
  ...invoiceOperations,
  ...payoutOperations,
  ...taxRateOperations,
  ...appOperations,
};
