import type * as v from 'valibot';
import { ClockInput, PaymentUpdateInput, type SandboxControl, TransferInput } from './control.ts';

/** One control call over HTTP. Not signed; JSON in and out; the error envelope of the service. */
export type ControlCall = {
  method: 'GET' | 'POST';
  path: `/_sandbox/${string}`;
  /** One line for the documentation and the panel. */
  summary: string;
  /** The body. `answer` hands it on as it came: the function checks it. */
  request?: v.GenericSchema;
  answer: (control: SandboxControl, parameters: Readonly<Record<string, string>>, body: unknown) => unknown;
};

/** Every control call: one row for each function of `SandboxControl`. */
export const controlCalls = {
  listPayments: {
    method: 'GET',
    path: '/_sandbox/payments',
    summary: 'All payments, newest first, with their transfers: { data }',
    answer: (control) => ({ data: control.listPayments() }),
  },
  updatePayment: {
    method: 'POST',
    path: '/_sandbox/payments/{reference}',
    summary: 'Changes the policy or the status of a payment, and answers with the payment',
    request: PaymentUpdateInput,
    answer: (control, { reference = '' }, body) =>
      control.updatePayment(reference, body as PaymentUpdateInput),
  },
  transfer: {
    method: 'POST',
    path: '/_sandbox/transfers',
    summary: 'Sends money, in minor units, to an account: { transfer, payment }',
    request: TransferInput,
    answer: (control, _parameters, body) => control.transfer(body as TransferInput),
  },
  readClock: {
    method: 'GET',
    path: '/_sandbox/clock',
    summary: "The sandbox's clock: { now, offsetSeconds }",
    answer: (control) => control.readClock(),
  },
  advanceClock: {
    method: 'POST',
    path: '/_sandbox/clock',
    summary: 'Moves the clock forward: { now, offsetSeconds }',
    request: ClockInput,
    answer: (control, _parameters, body) => control.advanceClock(body as ClockInput),
  },
} as const satisfies Record<keyof SandboxControl, ControlCall>;
