import type { Collection } from '../storage/collection.ts';

/** What happens to callbacks on their way. All off at first; kept across restarts. */
export type DeliverySwitch = {
  /** How probable it is, from 0 to 1, that a new callback is logged and never sent. */
  drop: number;
  /** How probable it is, from 0 to 1, that a new callback is sent a second time as soon as it got through. */
  double: number;
  /** How long a new callback waits before it is sent, on the sandbox's clock. */
  delaySeconds: number;
  /** Whether the callbacks of one record that are due together go out newest first, and never wait for a retry. */
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
