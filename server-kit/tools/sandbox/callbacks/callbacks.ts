import { createBacklog } from './backlog.ts';
import { addPlan, type CallbackRecord } from './callback.ts';
import { createCallbackRecord, type RecordChange } from './create-callback.ts';
import { createDelivery, type Delivery } from './delivery.ts';
import { type DeliverySwitch, readSwitch, writeSwitch } from './delivery-switch.ts';
import type { CallbackParts } from './parts.ts';

/** Creates and delivers callbacks. */
export type Callbacks = Delivery & {
  /** Plans the callback for a change of a record with a callback URL. It is sent after this call. */
  notify: (change: RecordChange) => void;
  /** Plans an additional attempt for now. */
  resend: (callback: CallbackRecord) => CallbackRecord;
  /** Sets deliberate delivery problems. */
  setDelivery: (setting: DeliverySwitch) => void;
  /** When the next callback is due, in milliseconds since the epoch; infinite for none. */
  nextDueMs: () => number;
  /** Makes planned attempts earlier, so that a clock that was set back does not delay them. */
  bringForward: (byMs: number) => void;
};

export function createCallbacks(parts: CallbackParts): Callbacks {
  const { clock, state } = parts;
  const backlog = createBacklog(state.callbacks, () => readSwitch(state.callbackDelivery).reorder);

  return {
    ...createDelivery(parts, backlog),
    notify(change) {
      const { callbackUrl } = change;
      if (callbackUrl !== null) backlog.put(createCallbackRecord({ ...change, callbackUrl }, parts));
    },
    resend: (callback) => backlog.put(addPlan(callback, { atMs: clock.now(), reason: 'resend' })),
    setDelivery(setting) {
      writeSwitch(state.callbackDelivery, setting);
      backlog.planAll();
    },
    nextDueMs: backlog.nextDueMs,
    bringForward(byMs) {
      for (const callback of backlog.all()) {
        backlog.put({
          ...callback,
          planned: callback.planned.map((plan) => ({ ...plan, atMs: plan.atMs - byMs })),
        });
      }
    },
  };
}
