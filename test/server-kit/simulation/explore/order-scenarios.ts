import type { Scenario } from './scenario.ts';
import { openLinks, pause, pay, visit } from './shopper-steps.ts';

/** Links and accounts that may never reach the shopper's screen, and orders that change. */
export const orderScenarios: readonly Scenario[] = [
  {
    name: 'mailed-link',
    async run(fixture) {
      await visit(fixture, { kind: 'link', tries: 2 });
      await openLinks(fixture);
      await Promise.all([0, 1, 2].map((index) => pay(fixture, index)));
      await pause(fixture, 30);
    },
  },
  {
    name: 'mailed-account',
    async run(fixture) {
      await visit(fixture, { tries: 2 });
      await Promise.all([0, 1, 2].map((index) => pay(fixture, index)));
      await pause(fixture, 30);
    },
  },
  {
    name: 'link-paid-late',
    confirmationSeconds: 5,
    async run(fixture) {
      await visit(fixture, { kind: 'link' });
      await openLinks(fixture);
      await pause(fixture, 110);
      await visit(fixture, { kind: 'link' });
      await pay(fixture, 0);
      await pause(fixture, 30);
    },
  },
  {
    name: 'account-and-link-at-once',
    instances: 2,
    async run(fixture) {
      await Promise.all([visit(fixture), visit(fixture, { kind: 'link' })]);
      await openLinks(fixture);
      await pay(fixture, 0);
      await pause(fixture, 20);
    },
  },
  {
    name: 'cart-changes-while-money-comes',
    instances: 2,
    async run(fixture) {
      await visit(fixture);
      fixture.order.value *= 2;
      await Promise.all([visit(fixture), pay(fixture, 0)]);
      await pause(fixture, 20);
    },
  },
];
