import type { Scenario } from './scenario.ts';
import { pause, pay, reverse, visit } from './shopper-steps.ts';

/** Services that misbehave. */
export const serviceScenarios: readonly Scenario[] = [
  {
    name: 'first-account',
    behaviour: { callsBackEarly: true },
    async run(fixture) {
      await visit(fixture);
      await pay(fixture, 0);
      await pause(fixture, 20);
    },
  },
  {
    name: 'charged-is-stamped-ahead',
    confirmationSeconds: 10,
    behaviour: { stampAheadMs: { charged: 20_000 } },
    async run(fixture) {
      await visit(fixture);
      await pay(fixture, 0);
      await pause(fixture, 30);
    },
  },
  {
    name: 'reversed-is-stamped-behind',
    behaviour: { stampAheadMs: { reversed: -20_000 } },
    async run(fixture) {
      await visit(fixture);
      await pay(fixture, 0);
      await pause(fixture, 10);
      await reverse(fixture, 0);
      await pause(fixture, 10);
    },
  },
  {
    name: 'awaiting-is-stamped-an-hour-ahead',
    behaviour: { stampAheadMs: { awaiting_charge: 3_600_000 } },
    async run(fixture) {
      await visit(fixture);
      await pause(fixture, 10);
      await pay(fixture, 0);
      await pause(fixture, 20);
    },
  },
  {
    name: 'charged-is-forgotten-for-a-while',
    confirmationSeconds: 120,
    async run(fixture) {
      const tab = await visit(fixture);
      await pause(fixture, 40);
      await pay(fixture, 0);
      await pause(fixture, 5);
      fixture.setBehaviour({ forgetsMoney: true });
      // By then the account has expired.
      await pause(fixture, 40);
      tab?.close();
      await visit(fixture);
      fixture.setBehaviour({});
      await pause(fixture, 120);
    },
  },
  {
    name: 'expiry-long-past',
    hasNoCallbacks: true,
    behaviour: { expiresAt: '1970-01-01T00:00:01.000Z' },
    async run(fixture) {
      // The shop may refuse such an account or show it.
      const tab = await visit(fixture, { tries: 1 });
      tab?.close();
      await pay(fixture, 0);
      await pause(fixture, 20);
    },
  },
  {
    name: 'fails-after-every-create',
    behaviour: { failsAfterCreating: true, callsBackEarly: true },
    async run(fixture) {
      await visit(fixture, { tries: 1 });
      fixture.setBehaviour({});
      await visit(fixture);
      await pause(fixture, 10);
    },
  },
  {
    name: 'silent-service',
    behaviour: { isSilent: true },
    async run(fixture) {
      await visit(fixture, { tries: 1 });
      fixture.setBehaviour({});
      await visit(fixture);
    },
  },
];
