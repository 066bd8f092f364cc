import type {
  ClockReading,
  ControlPayment,
  PaymentUpdateInput,
  TransferInput,
  TransferResult,
} from 'transfer-checkout/sandbox';
import * as v from 'valibot';
import { Clock, Payment, PaymentList, Refusal, Transferred } from './records.ts';

/** The sandbox has answered, and said no. The message is the sandbox's. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
}

/** The sandbox's control calls, over HTTP. They reject with `RefusedError`, or with whatever broke the call. */
export type SandboxCalls = {
  listPayments: () => Promise<readonly ControlPayment[]>;
  readClock: () => Promise<ClockReading>;
  transfer: (input: TransferInput) => Promise<TransferResult>;
  updatePayment: (reference: string, input: PaymentUpdateInput) => Promise<ControlPayment>;
  advanceClock: (advanceSeconds: number) => Promise<ClockReading>;
};

const timeoutMs = 10_000;

/** @param options.baseUrl the service's, such as `http://localhost:4242/service` */
export function createSandboxCalls({ baseUrl }: { baseUrl: string }): SandboxCalls {
  const call = async <Schema extends v.GenericSchema>(path: string, schema: Schema, body?: object) => {
    const response = await fetch(`${baseUrl}/_sandbox${path}`, {
      signal: AbortSignal.timeout(timeoutMs),
      ...(body && {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
    const answer: unknown = await response.json();
    if (response.ok) return v.parse(schema, answer);
    throw new RefusedError(v.parse(Refusal, answer).error.message);
  };
  return {
    listPayments: async () => (await call('/payments', PaymentList)).data,
    readClock: () => call('/clock', Clock),
    transfer: (input) => call('/transfers', Transferred, input),
    updatePayment: (reference, input) => call(`/payments/${encodeURIComponent(reference)}`, Payment, input),
    advanceClock: (advanceSeconds) => call('/clock', Clock, { advanceSeconds }),
  };
}
