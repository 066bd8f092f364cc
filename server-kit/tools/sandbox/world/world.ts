import { type Callbacks, createCallbacks } from '../callbacks/callbacks.ts';
import { createClock, type SandboxClock } from '../clock/clock.ts';
import { createMint, firstFreeSerial, type Mint } from '../identifiers/mint.ts';
import { createRequestLog, type RequestLog } from '../request-log/request-log.ts';
import type { SandboxSettings } from '../settings/options.ts';
import { createJournal, type Journal } from '../storage/journal.ts';
import { createPaymentWriter, type PaymentWriter } from './payment-writer.ts';
import { createState, isAccountNumberTaken, type SandboxState } from './state.ts';

/** All parts of a sandbox. Operations and control calls receive it. */
export type SandboxWorld = {
  settings: SandboxSettings;
  clock: SandboxClock;
  state: SandboxState;
  mint: Mint;
  journal: Journal;
  requestLog: RequestLog;
  callbacks: Callbacks;
  payments: PaymentWriter;
};

export function createWorld(settings: SandboxSettings): SandboxWorld {
  const journal = createJournal(settings.storage);
  const state = createState(journal);
  const mint = createMint({
    random: settings.random,
    bankCode: settings.bank.code,
    firstSerial: firstFreeSerial(settings.storage?.entries ?? []),
    isAccountNumberTaken: (number) => isAccountNumberTaken(state, number),
  });
  const clock = createClock(settings.now, state.clock);
  const requestLog = createRequestLog(clock.now, settings.now, settings.onRequest);
  const callbacks = createCallbacks({ settings, clock, state, mint, journal });
  const payments = createPaymentWriter({ clock, state, callbacks });
  return { settings, clock, state, mint, journal, requestLog, callbacks, payments };
}
