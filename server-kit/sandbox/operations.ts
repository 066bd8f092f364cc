import type { Operation } from '../api/endpoints.ts';
import { appOperations } from './apps/operations.ts';
import { dedicatedAccountOperations } from './dedicated-accounts/operations.ts';
import { invoiceOperations } from './invoices/operations.ts';
import type { Handler } from './operation.ts';
import { checkoutOperations, paymentOperations } from './payments/operations.ts';
import { payoutOperations } from './payouts/operations.ts';
import { taxRateOperations } from './tax-rates/operations.ts';

/** One handler for each row of the table of endpoints. */
export const operations: { readonly [Op in Operation]: Handler<Op> } = {
  ...dedicatedAccountOperations,
  ...paymentOperations,
  ...checkoutOperations,
  ...invoiceOperations,
  ...payoutOperations,
  ...taxRateOperations,
  ...appOperations,
};
