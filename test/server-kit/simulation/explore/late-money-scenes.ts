import { expireFirst, pause, pay, visit } from './actors.ts';
import type { Scene } from './stage.ts';

/** The first account has expired: the next is asked for, and the money comes all the same. */
export const lateMoneyScenes: readonly Scene[] = [
  {
    name: 'late-money-between-two-requests',
    confirmationSeconds: 40,
    async play(stage) {
      await expireFirst(stage);
      // The shopper leaves before there is a response, if it does not come at once.
      const second = await visit(stage, { tries: 1 });
      second?.close();
      await pause(stage, 1);
      await pay(stage, 0);
      await pause(stage, 2);
      await visit(stage);
      await pause(stage, 60);
    },
  },
  {
    name: 'late-money-confirmed-at-once',
    hasNoCallbacks: true,
    async play(stage) {
      await expireFirst(stage);
      const second = await visit(stage, { tries: 1 });
      second?.close();
      await pay(stage, 0);
      await visit(stage);
      await pause(stage, 20);
    },
  },
  {
    name: 'late-money-during-the-next-request',
    instances: 2,
    confirmationSeconds: 40,
    async play(stage) {
      await expireFirst(stage);
      await Promise.all([visit(stage), pay(stage, 0)]);
      await pause(stage, 60);
    },
  },
  {
    name: 'two-accounts-with-a-tab-each',
    instances: 2,
    async play(stage) {
      await expireFirst(stage);
      await visit(stage);
      await pause(stage, 5);
      await pay(stage, 0);
      await pause(stage, 20);
    },
  },
  {
    name: 'charged-while-a-tab-shows-the-next-account',
    confirmationSeconds: 40,
    async play(stage) {
      await expireFirst(stage);
      await visit(stage);
      await pause(stage, 5);
      await pay(stage, 0);
      await pause(stage, 50);
    },
  },
  {
    name: 'a-reload-while-the-first-account-is-charged',
    confirmationSeconds: 40,
    async play(stage) {
      await expireFirst(stage);
      const second = await visit(stage);
      await pay(stage, 0);
      await pause(stage, 5);
      second?.close();
      await visit(stage);
      await pause(stage, 40);
    },
  },
  {
    name: 'late-money-of-which-no-callback-tells',
    hasNoCallbacks: true,
    async play(stage) {
      await expireFirst(stage);
      await pause(stage, 1260);
      stage.order.expiresInSeconds = 600;
      await visit(stage);
      await pause(stage, 5);
      await pay(stage, 0);
      await pause(stage, 60);
      stage.expectKnown();
    },
  },
  {
    name: 'paid-into-both-accounts',
    async play(stage) {
      await expireFirst(stage);
      await visit(stage);
      await Promise.all([pay(stage, 0), pay(stage, 1)]);
      await pause(stage, 20);
    },
  },
  {
    name: 'silent-when-the-first-has-expired',
    async play(stage) {
      await expireFirst(stage);
      stage.setManner({ isSilent: true });
      await visit(stage, { tries: 1 });
      stage.setManner({});
      await visit(stage);
    },
  },
];
