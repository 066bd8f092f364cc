import type { Scenario } from './scenario.ts';
import { expireFirst, pause, pay, visit } from './shopper-steps.ts';

/** The first account has expired and the shopper requests the next one; then money arrives on the first. */
export const lateMoneyScenarios: readonly Scenario[] = [
  {
    name: 'late-money-between-two-requests',
    confirmationSeconds: 40,
    async run(fixture) {
      await expireFirst(fixture);
      // The shopper sends one request and leaves, with or without an account.
      const second = await visit(fixture, { tries: 1 });
      second?.close();
      await pause(fixture, 1);
      await pay(fixture, 0);
      await pause(fixture, 2);
      await visit(fixture);
      await pause(fixture, 60);
    },
  },
  {
    name: 'late-money-confirmed-at-once',
    hasNoCallbacks: true,
    async run(fixture) {
      await expireFirst(fixture);
      const second = await visit(fixture, { tries: 1 });
      second?.close();
      await pay(fixture, 0);
      await visit(fixture);
      await pause(fixture, 20);
    },
  },
  {
    name: 'late-money-during-the-next-request',
    instances: 2,
    confirmationSeconds: 40,
    async run(fixture) {
      await expireFirst(fixture);
      await Promise.all([visit(fixture), pay(fixture, 0)]);
      await pause(fixture, 60);
    },
  },
  {
    name: 'two-accounts-with-a-tab-each',
    instances: 2,
    async run(fixture) {
      await expireFirst(fixture);
      await visit(fixture);
      await pause(fixture, 5);
      await pay(fixture, 0);
      await pause(fixture, 20);
    },
  },
  {
    name: 'charged-while-a-tab-shows-the-next-account',
    confirmationSeconds: 40,
    async run(fixture) {
      await expireFirst(fixture);
      await visit(fixture);
      await pause(fixture, 5);
      await pay(fixture, 0);
      await pause(fixture, 50);
    },
  },
  {
    name: 'a-reload-while-the-first-account-is-charged',
    confirmationSeconds: 40,
    async run(fixture) {
      await expireFirst(fixture);
      const second = await visit(fixture);
      await pay(fixture, 0);
      await pause(fixture, 5);
      second?.close();
      await visit(fixture);
      await pause(fixture, 40);
    },
  },
  {
    name: 'late-money-without-a-callback',
    hasNoCallbacks: true,
    async run(fixture) {
      await expireFirst(fixture);
      await pause(fixture, 1260);
      fixture.order.expiresInSeconds = 600;
      await visit(fixture);
      await pause(fixture, 5);
      await pay(fixture, 0);
      await pause(fixture, 60);
      fixture.expectMoneyRecorded();
    },
  },
  {
    name: 'paid-into-both-accounts',
    async run(fixture) {
      await expireFirst(fixture);
      await visit(fixture);
      await Promise.all([pay(fixture, 0), pay(fixture, 1)]);
      await pause(fixture, 20);
    },
  },
  {
    name: 'silent-when-the-first-has-expired',
    async run(fixture) {
      await expireFirst(fixture);
      fixture.setBehaviour({ isSilent: true });
      await visit(fixture, { tries: 1 });
      fixture.setBehaviour({});
      await visit(fixture);
    },
  },
];
