import * as v from 'valibot';
import { exactObject } from '../../api/fields.ts';
import { found } from '../errors/sandbox-error.ts';
import { WholeNumber } from '../input/fields.ts';
import { parseInput } from '../input/parse-input.ts';
import { payIntoAccount, payIntoPayment, type TransferResult } from '../world/receive-transfer.ts';
import type { SandboxWorld } from '../world/world.ts';
import { type ControlCall, controlCallsOf } from './control-call.ts';

/** Money to send. `amount` in minor units, whatever the dialect says. */
export const TransferInput = exactObject({ accountNumber: v.string(), amount: WholeNumber });
export type TransferInput = v.InferOutput<typeof TransferInput>;

export type TransfersControl = {
  /**
   * Sends money to an account. Whether the bank takes or returns it follows from the payment's policy and status. What
   * comes to a dedicated account that is active becomes a payment of its own.
   *
   * Refuses with `account_not_found`, `validation_failed`.
   */
  transfer: (input: TransferInput) => TransferResult;
};

export const createTransfersControl = (world: SandboxWorld): TransfersControl => ({
  transfer(input) {
    const { accountNumber, amount } = parseInput(TransferInput, input);
    const account = world.state.dedicatedAccounts.by('accountNumber', accountNumber);
    if (account !== undefined) return payIntoAccount(world, account, amount);
    const message = `No account has the number "${accountNumber}"; initiate a payment first.`;
    const payment = found(
      world.state.payments.by('accountNumber', accountNumber),
      'account_not_found',
      message,
    );
    return payIntoPayment(world, payment, amount);
  },
});

const call = controlCallsOf<TransfersControl>();

export const transferCalls = {
  transfer: call({
    method: 'POST',
    path: '/_sandbox/transfers',
    summary: 'Sends money, in minor units, to an account: { transfer, payment }',
    request: TransferInput,
    answer: (control, _parameters, body) => control.transfer(body),
  }),
} satisfies Record<keyof TransfersControl, ControlCall<TransfersControl>>;
