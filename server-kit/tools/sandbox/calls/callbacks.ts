import * as v from 'valibot';
import { type CallbackRecord, callbackState } from '../callbacks/attempts.ts';
import { findOrRefuse } from '../errors.ts';
import { maxSeconds, NoInput, Probability, parseInput, wholeNumberUpTo } from '../input/fields.ts';
import { toIso } from '../state/clock.ts';
import type { ControlCalls } from './handler.ts';

const Always = v.pipe(v.boolean(), v.transform(Number));
const Chance = v.union([Always, Probability], 'must be true, false or a number from 0 to 1');

/** Fields that are left out do not change. */
const CallbackDeliveryInput = v.strictObject({
  /** The probability that a new callback is logged but never sent. */
  drop: v.optional(Chance),
  /** The probability that a new callback is sent again directly after it was delivered. */
  double: v.optional(Chance),
  /** How long a new callback waits, on the sandbox's clock. */
  delaySeconds: v.optional(wholeNumberUpTo(maxSeconds)),
  /** Whether due callbacks of one record are sent newest first and do not wait for retries. */
  reorder: v.optional(v.boolean('must be true or false')),
});
type CallbackDeliveryInput = v.InferInput<typeof CallbackDeliveryInput>;

/** A callback in a control call. Times are by the sandbox's clock, in ISO 8601. */
export type ControlCallback = ReturnType<typeof toControlCallback>;
export type ControlCallbackAttempt = ControlCallback['attempts'][number];

export const callbackCalls = {
  /** Lists every callback with its attempts, newest first: all pending ones and the last 1,000 others. */
  listCallbacks: {
    run: ({ state }) => state.callbacks.list().map(toControlCallback),
  },
  /** Sends a callback again now, also one that was delivered, was dropped or has failed. Refuses with `callback_not_found`. */
  resendCallback: {
    request: NoInput,
    run({ state, callbacks }, id: string) {
      const message = `No callback has the id "${id}"; list the callbacks to see their ids.`;
      const callback = findOrRefuse(state.callbacks.get(id), 'callback_not_found', message);
      return toControlCallback(callbacks.resend(callback));
    },
  },
  readCallbackDelivery: { run: ({ callbacks }) => callbacks.readDelivery() },
  /** Drops, doubles, delays or reorders callbacks from now on. Refuses with `validation_failed`. */
  setCallbackDelivery: {
    request: CallbackDeliveryInput,
    run({ callbacks }, input: CallbackDeliveryInput) {
      const given = parseInput(CallbackDeliveryInput, input);
      const known = Object.entries(given).filter(([, value]) => value !== undefined);
      callbacks.setDelivery({ ...callbacks.readDelivery(), ...Object.fromEntries(known) });
      return callbacks.readDelivery();
    },
  },
} satisfies ControlCalls;

function toControlCallback(callback: CallbackRecord) {
  const { createdAtMs, isDropped: _, isDoubled: _also, planned, attempts, ...shown } = callback;
  return {
    ...shown,
    createdAt: toIso(createdAtMs),
    state: callbackState(callback),
    /** `null` when no attempt is planned. An earlier callback of the same record may have to finish first. */
    nextAttemptAt: planned.length === 0 ? null : toIso(Math.min(...planned.map(({ atMs }) => atMs))),
    /** Oldest first. */
    attempts: attempts.map(({ atMs, ...attempt }) => ({ at: toIso(atMs), ...attempt })),
  };
}
