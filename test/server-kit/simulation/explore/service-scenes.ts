import { pause, pay, reverse, visit } from './actors.ts';
import type { Scene } from './stage.ts';

/** The service behaves as it should not. */
export const serviceScenes: readonly Scene[] = [
  {
    name: 'first-account',
    manner: { callsBackEarly: true },
    async play(stage) {
      await visit(stage);
      await pay(stage, 0);
      await pause(stage, 20);
    },
  },
  {
    name: 'charged-is-stamped-ahead',
    confirmationSeconds: 10,
    manner: { stampAheadMs: { charged: 20_000 } },
    async play(stage) {
      await visit(stage);
      await pay(stage, 0);
      await pause(stage, 30);
    },
  },
  {
    name: 'reversed-is-stamped-behind',
    manner: { stampAheadMs: { reversed: -20_000 } },
    async play(stage) {
      await visit(stage);
      await pay(stage, 0);
      await pause(stage, 10);
      await reverse(stage, 0);
      await pause(stage, 10);
    },
  },
  {
    name: 'awaiting-is-stamped-an-hour-ahead',
    manner: { stampAheadMs: { awaiting_charge: 3_600_000 } },
    async play(stage) {
      await visit(stage);
      await pause(stage, 10);
      await pay(stage, 0);
      await pause(stage, 20);
    },
  },
  {
    name: 'charged-is-forgotten-for-a-while',
    confirmationSeconds: 120,
    async play(stage) {
      const tab = await visit(stage);
      await pause(stage, 40);
      await pay(stage, 0);
      await pause(stage, 5);
      stage.setManner({ forgetsMoney: true });
      // Until its account has expired.
      await pause(stage, 40);
      tab?.close();
      await visit(stage);
      stage.setManner({});
      await pause(stage, 120);
    },
  },
  {
    name: 'expiry-long-past',
    hasNoCallbacks: true,
    manner: { expiresAt: '1970-01-01T00:00:01.000Z' },
    async play(stage) {
      // Whether such an account is refused or shown is for the shop to decide.
      const tab = await visit(stage, { tries: 1 });
      tab?.close();
      await pay(stage, 0);
      await pause(stage, 20);
    },
  },
  {
    name: 'fails-after-every-create',
    manner: { failsAfterCreating: true, callsBackEarly: true },
    async play(stage) {
      await visit(stage, { tries: 1 });
      stage.setManner({});
      await visit(stage);
      await pause(stage, 10);
    },
  },
  {
    name: 'silent-service',
    manner: { isSilent: true },
    async play(stage) {
      await visit(stage, { tries: 1 });
      stage.setManner({});
      await visit(stage);
    },
  },
];
