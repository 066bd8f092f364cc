import * as v from 'valibot';
import { exactObject } from '../../api/fields.ts';
import {
  type CallbackAttempt,
  type CallbackRecord,
  type CallbackState,
  callbackState,
} from '../callbacks/callback.ts';
import { type DeliverySwitch, readSwitch } from '../callbacks/delivery-switch.ts';
import { toIso } from '../clock/iso.ts';
import { found } from '../errors/sandbox-error.ts';
import { maxSeconds, NoInput, Probability, wholeNumberUpTo } from '../input/fields.ts';
import { parseInput } from '../input/parse-input.ts';
import type { SandboxWorld } from '../world/world.ts';
import { type ControlCall, controlCallsOf } from './control-call.ts';

const AlwaysOrOften = v.union(
  [
    v.pipe(
      v.boolean(),
      v.transform((always): number => Number(always)),
    ),
    Probability,
  ],
  'must be true, false or a number from 0 to 1',
);

/** What is left out stays as it is. */
export const CallbackDeliveryInput = exactObject({
  /** How probable it is that a new callback is logged and never sent. */
  drop: v.optional(AlwaysOrOften),
  /** How probable it is that a new callback is sent a second time as soon as it got through. */
  double: v.optional(AlwaysOrOften),
  /** How long a new callback waits, on the sandbox's clock. */
  delaySeconds: v.optional(wholeNumberUpTo(maxSeconds)),
  /** Whether those of one record that are due together go out newest first, and never wait for a retry. */
  reorder: v.optional(v.boolean('must be true or false')),
});
export type CallbackDeliveryInput = v.InferInput<typeof CallbackDeliveryInput>;

/** An attempt as the control calls show it. */
export type ControlCallbackAttempt = Omit<CallbackAttempt, 'atMs'> & {
  /** By the sandbox's clock, in ISO 8601. */
  at: string;
};

/** A callback as the control calls show it. Moments by the sandbox's clock, in ISO 8601. */
export type ControlCallback = Pick<
  CallbackRecord,
  'id' | 'event' | 'record' | 'recordId' | 'reference' | 'url' | 'body'
> & {
  createdAt: string;
  state: CallbackState;
  /** `null` where no further attempt is planned. One before it, of the same record, may have to be finished first. */
  nextAttemptAt: string | null;
  /** Oldest first. */
  attempts: readonly ControlCallbackAttempt[];
};

export type CallbacksControl = {
  /** Every callback with every attempt, newest first: all that are pending, and the last 1,000 others. */
  listCallbacks: () => readonly ControlCallback[];
  /**
   * Sends a callback once more, now: also one that was delivered, dropped or given up on.
   *
   * Refuses with `callback_not_found`.
   */
  resendCallback: (id: string) => ControlCallback;
  readCallbackDelivery: () => DeliverySwitch;
  /**
   * Drops, doubles, delays or reorders callbacks on purpose, from then on.
   *
   * Refuses with `validation_failed`.
   */
  setCallbackDelivery: (input: CallbackDeliveryInput) => DeliverySwitch;
};

export function createCallbacksControl({ state, callbacks }: SandboxWorld): CallbacksControl {
  const readCallbackDelivery = (): DeliverySwitch => readSwitch(state.callbackDelivery);
  return {
    listCallbacks: () => state.callbacks.list().map(toControlCallback),
    resendCallback(id) {
      const message = `No callback has the id "${id}"; list the callbacks for theirs.`;
      const callback = found(state.callbacks.get(id), 'callback_not_found', message);
      return toControlCallback(callbacks.resend(callback));
    },
    readCallbackDelivery,
    setCallbackDelivery(input) {
      const given = parseInput(CallbackDeliveryInput, input);
      const known = Object.entries(given).filter(([, value]) => value !== undefined);
      callbacks.setDelivery({ ...readCallbackDelivery(), ...Object.fromEntries(known) });
      return readCallbackDelivery();
    },
  };
}

const call = controlCallsOf<CallbacksControl>();

export const callbackCalls = {
  listCallbacks: call({
    method: 'GET',
    path: '/_sandbox/callbacks',
    summary: 'All callbacks, newest first, with every attempt: { data }',
    answer: (control) => ({ data: control.listCallbacks() }),
  }),
  resendCallback: call({
    method: 'POST',
    path: '/_sandbox/callbacks/{id}/resend',
    summary: 'Sends a callback once more, and answers with the callback; send {}',
    request: NoInput,
    answer(control, { id }, body) {
      parseInput(NoInput, body);
      return control.resendCallback(id);
    },
  }),
  readCallbackDelivery: call({
    method: 'GET',
    path: '/_sandbox/callback_delivery',
    summary: 'What is done to callbacks on purpose: { drop, double, delaySeconds, reorder }',
    answer: (control) => control.readCallbackDelivery(),
  }),
  setCallbackDelivery: call({
    method: 'POST',
    path: '/_sandbox/callback_delivery',
    summary: 'Drops, doubles, delays or reorders callbacks: { drop, double, delaySeconds, reorder }',
    request: CallbackDeliveryInput,
    answer: (control, _parameters, body) => control.setCallbackDelivery(body),
  }),
} satisfies Record<keyof CallbacksControl, ControlCall<CallbacksControl>>;

function toControlCallback(callback: CallbackRecord): ControlCallback {
  const { id, event, record, recordId, reference, url, body, createdAtMs, planned, attempts } = callback;
  return {
    id,
    event,
    record,
    recordId,
    reference,
    url,
    body,
    createdAt: toIso(createdAtMs),
    state: callbackState(callback),
    nextAttemptAt: planned.length === 0 ? null : toIso(Math.min(...planned.map(({ atMs }) => atMs))),
    attempts: attempts.map(({ atMs, ...attempt }) => ({ at: toIso(atMs), ...attempt })),
  };
}
