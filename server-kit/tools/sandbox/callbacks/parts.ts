import type { SandboxClock } from '../clock/clock.ts';
import type { Mint } from '../identifiers/mint.ts';
import type { SandboxSettings } from '../settings/options.ts';
import type { Collection } from '../storage/collection.ts';
import type { Journal } from '../storage/journal.ts';
import type { CallbackRecord } from './callback.ts';
import type { DeliverySwitchRecord } from './delivery-switch.ts';

/** What creating and delivering callbacks needs. */
export type CallbackParts = {
  settings: SandboxSettings;
  clock: SandboxClock;
  mint: Mint;
  journal: Journal;
  state: {
    callbacks: Collection<CallbackRecord>;
    callbackDelivery: Collection<DeliverySwitchRecord>;
  };
};
