import type { TestShop } from '../../../server-kit/tools/testing/index.ts';
import { faults } from './faults.ts';
import type { Fault, FaultyNetwork, Matches } from './faulty-network.ts';
import type { Shopper } from './shopper.ts';

export type FlowTools = Shopper & {
  readonly shop: TestShop;
  /** Lets the next matching request fail in the way of this test. */
  readonly fail: (matches: Matches) => void;
  readonly network: FaultyNetwork;
};

/** A step of a flow: one request of it fails, and the flow goes on to its end, where all money has been received. */
export type Step = {
  readonly name: string;
  /** The request that fails, where the page sends it before the flow begins. */
  readonly atStart?: Matches;
  /** The number of accounts at the end. Default: 1. */
  readonly accounts?: number;
  /** What happens before the shopper pays all that is left. */
  readonly beforePaying: (tools: FlowTools) => Promise<void>;
  /** What happens once it is received. */
  readonly afterPaying?: (tools: FlowTools) => Promise<void>;
};

const asks =
  (method: string, prefer: RegExp): Matches =>
  (request) =>
    request.method === method &&
    `${request.url}`.startsWith('/checkout/sessions') &&
    prefer.test(`${request.headers.prefer}`);

const widgetFile: Matches = ({ url }) => `${url}`.includes('/checkout-widget-');
const session = asks('POST', /undefined/);
export const heldPoll = asks('GET', /wait/);
const check = asks('GET', /undefined/);
const newAccount = asks('POST', /new/);
const renewal = asks('POST', /existing/);

const untilAccount = ({ reach }: FlowTools): Promise<void> => reach('awaitingTransfer');

/** The shopper says that the money is sent, after which this request fails. */
const sayThatSent =
  (failing: Matches) =>
  async ({ reach, press, fail }: FlowTools): Promise<void> => {
    await reach('awaitingTransfer');
    fail(failing);
    await press('sent');
    await reach('checking');
  };

/** The page is loaded anew, and its first request fails. */
const reloadIn =
  (state: string) =>
  async ({ reach, fail, reload }: FlowTools): Promise<void> => {
    await reach(state);
    fail(session);
    await reload();
    await reach(state);
  };

/** The flows to "received", with each request that they send. */
export const steps: readonly Step[] = [
  { name: 'the file of the widget', atStart: widgetFile, beforePaying: untilAccount },
  { name: 'the request for the session', atStart: session, beforePaying: untilAccount },
  {
    name: 'the held poll, before money arrives',
    async beforePaying({ reach, fail, page }) {
      fail(heldPoll);
      await reach('awaitingTransfer');
      await page.clock.runFor(1000);
    },
  },
  { name: 'the check after “I have sent the money”', beforePaying: sayThatSent(check) },
  { name: 'the held poll after “I have sent the money”', beforePaying: sayThatSent(heldPoll) },
  {
    name: 'the poll that brings a part',
    async beforePaying({ reach, fail, pay }) {
      fail(heldPoll);
      await reach('awaitingTransfer');
      await pay(500_000);
      await reach('partlyPaid');
    },
  },
  {
    name: 'the poll that brings the rest',
    async beforePaying({ reach, fail, pay }) {
      await reach('awaitingTransfer');
      fail(heldPoll);
      await pay(500_000);
      await reach('partlyPaid');
    },
  },
  {
    name: 'the poll that says that the account has expired',
    accounts: 2,
    async beforePaying({ reach, requestNewAccount, fail, shop }) {
      fail(heldPoll);
      await reach('awaitingTransfer');
      await shop.advance({ minutes: 31 });
      await reach('expired');
      await requestNewAccount();
    },
  },
  {
    name: 'the request for a new account',
    accounts: 2,
    async beforePaying({ reach, requestNewAccount, fail, shop }) {
      await reach('awaitingTransfer');
      await shop.advance({ minutes: 31 });
      await reach('expired');
      fail(newAccount);
      await requestNewAccount();
    },
  },
  {
    name: 'the renewal of a refused secret',
    async beforePaying({ reach, fail, network }) {
      network.failNext(heldPoll, faults['is refused with 401'] as Fault);
      fail(renewal);
      await reach('awaitingTransfer');
    },
  },
  { name: 'the request of a reloaded page', beforePaying: reloadIn('awaitingTransfer') },
  {
    name: 'the request of a page that is reloaded after paying',
    beforePaying: untilAccount,
    afterPaying: reloadIn('succeeded'),
  },
];
