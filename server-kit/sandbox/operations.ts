import type { Operation } from '../api/endpoints.ts';
import type { Handler } from './operation.ts';
import { checkoutOperations, paymentOperations } from './payments/operations.ts';

/** One handler for each row of the table of endpoints. */
export const operations: { readonly [Op in Operation]: Handler<Op> } = {
  ...paymentOperations,
  ...checkoutOperations,
};
