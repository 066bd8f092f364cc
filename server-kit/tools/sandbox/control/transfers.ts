import * as v from 'valibot';
import { exactObject } from '../../../client/api/fields.ts';
import { findOrRefuse } from '../errors/sandbox-error.ts';
import { WholeNumber } from '../input/fields.ts';
import { parseInput } from '../input/parse-input.ts';
import { payIntoAccount, payIntoPayment, type TransferResult } from '../world/receive-transfer.ts';
import type { ControlCallsOf } from './control-call.ts';

/** A transfer to send. `amount` is in minor units in every dialect. */
export const TransferInput = exactObject({ accountNumber: v.string(), amount: WholeNumber });
export type TransferInput = v.InferOutput<typeof TransferInput>;

export type TransfersControl = {
  /**
   * Sends money to an account. The bank accepts or returns it by the payment's policy and status. Money that an active
   * dedicated account receives becomes a new payment.
   *
   * Refuses with `account_not_found`, `validation_failed`.
   */
  transfer: (input: TransferInput) => TransferResult;
};

export const transferCalls: ControlCallsOf<TransfersControl> = {
  transfer: {
    request: TransferInput,
    run(world, input) {
      const { accountNumber, amount } = parseInput(TransferInput, input);
      const account = world.state.dedicatedAccounts.by('accountNumber', accountNumber);
      if (account !== undefined) return payIntoAccount(world, account, amount);
      const payment = world.state.payments.by('accountNumber', accountNumber);
      const message = `No account has the number "${accountNumber}"; initiate a payment first.`;
      return payIntoPayment(world, findOrRefuse(payment, 'account_not_found', message), amount);
    },
  },
};
