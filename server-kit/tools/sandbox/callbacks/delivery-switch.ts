import type { Collection } from '../storage/collection.ts';

/** Deliberate delivery problems. All are off at first; a restart keeps them. */
export type DeliverySwitch = {
  /** The probability, from 0 to 1, that a new callback is logged but never sent. */
  drop: number;
  /** The probability, from 0 to 1, that a new callback is sent again directly after it was delivered. */
  double: number;
  /** How long a new callback waits before it is sent, on the sandbox's clock. */
  delaySeconds: number;
  /** Whether due callbacks of one record are sent newest first and do not wait for retries. */
  reorder: boolean;
};

export type DeliverySwitchRecord = DeliverySwitch & { id: 'callback_delivery' };

const off: DeliverySwitch = { drop: 0, double: 0, delaySeconds: 0, reorder: false };

export function readSwitch(kept: Collection<DeliverySwitchRecord>): DeliverySwitch {
  const { drop, double, delaySeconds, reorder } = kept.get('callback_delivery') ?? off;
  return { drop, double, delaySeconds, reorder };
}

export function writeSwitch(kept: Collection<DeliverySwitchRecord>, setting: DeliverySwitch): void {
  kept.put({ id: 'callback_delivery', ...setting });
}
