import { openLinks, pay, reverse, visit } from './actors.ts';
import type { Stage } from './stage.ts';
import type { ServiceManner } from './stage-service.ts';

/** A short play about one order. It is played again and again, with another mishap at another step each time. */
export type Scene = {
  name: string;
  /** How many instances the shop has. Default: 1. */
  instances?: number;
  /** How long the service takes to confirm money, in seconds. Default: 0. */
  confirmationSeconds?: number;
  /** How the service behaves from the start. */
  manner?: ServiceManner;
  /** No callback ever arrives. */
  hasNoCallbacks?: boolean;
  play: (stage: Stage) => Promise<void>;
};

const pause = ({ world, scheduler }: Stage, seconds: number): Promise<void> => {
  // Nothing of interest happens meanwhile: the rounds of the shop are no steps.
  scheduler.setCounting(false);
  return world.clock.wait(seconds * 1000).then(() => scheduler.setCounting(true));
};

/** The first account is given out, and expires unpaid. */
async function expireFirst(stage: Stage): Promise<void> {
  stage.scheduler.setCounting(false);
  await visit(stage);
  await pause(stage, 75);
}

/** Two shoppers, or two tabs, ask at the same moment. */
const askTwice = (stage: Stage, ...ways: ('account' | 'link')[]): Promise<unknown> =>
  Promise.all(ways.map((way) => visit(stage, { way })));

/** All scenes. Their names are for the command line. */
export const scenes: readonly Scene[] = [
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
    name: 'late-money-between-two-requests',
    confirmationSeconds: 40,
    async play(stage) {
      await expireFirst(stage);
      // The shopper leaves before there is an answer, where it does not come at once.
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
      await pause(stage, 1200);
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
  {
    name: 'mailed-link',
    async play(stage) {
      await visit(stage, { way: 'link', tries: 2 });
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
      await visit(stage, { way: 'link' });
      await openLinks(stage);
      await pause(stage, 110);
      await visit(stage, { way: 'link' });
      await pay(stage, 0);
      await pause(stage, 30);
    },
  },
  {
    name: 'account-and-link-at-once',
    instances: 2,
    async play(stage) {
      await askTwice(stage, 'account', 'link');
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
