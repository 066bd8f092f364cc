import { openLinks, pause, pay, visit } from './actors.ts';
import type { Scene } from './stage.ts';

/** Links and accounts that nobody was shown, and orders that change. */
export const orderScenes: readonly Scene[] = [
  {
    name: 'mailed-link',
    async play(stage) {
      await visit(stage, { kind: 'link', tries: 2 });
      await openLinks(stage);
      await Promise.all([0, 1, 2].map((index) => pay(stage, index)));
      await pause(stage, 30);
    },
  },
  {
    name: 'mailed-account',
    async play(stage) {
      await visit(stage, { tries: 2 });
      await Promise.all([0, 1, 2].map((index) => pay(stage, index)));
      await pause(stage, 30);
    },
  },
  {
    name: 'link-paid-late',
    confirmationSeconds: 5,
    async play(stage) {
      await visit(stage, { kind: 'link' });
      await openLinks(stage);
      await pause(stage, 110);
      await visit(stage, { kind: 'link' });
      await pay(stage, 0);
      await pause(stage, 30);
    },
  },
  {
    name: 'account-and-link-at-once',
    instances: 2,
    async play(stage) {
      await Promise.all([visit(stage), visit(stage, { kind: 'link' })]);
      await openLinks(stage);
      await pay(stage, 0);
      await pause(stage, 20);
    },
  },
  {
    name: 'cart-changes-while-money-comes',
    instances: 2,
    async play(stage) {
      await visit(stage);
      stage.order.value *= 2;
      await Promise.all([visit(stage), pay(stage, 0)]);
      await pause(stage, 20);
    },
  },
];
