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

/** A step of a flow: one request of it fails, and the flow goes on to its end. */
export type Step = {
  readonly name: string;
  /** The request that fails, where the page sends it before the flow begins. */
  readonly atStart?: Matches;
  /** The number of accounts at the end. */
  readonly accounts: number;
  readonly run: (tools: FlowTools) => Promise<void>;
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

async function payAll({ reach, pay }: FlowTools): Promise<void> {
  await reach('awaitingTransfer');
  await pay();
  await reach('succeeded');
}

/** The flows to "received", with each request that they send. */
export const steps: readonly Step[] = [
  { name: 'the file of the widget', accounts: 1, atStart: widgetFile, run: payAll },
  { name: 'the request for the session', accounts: 1, atStart: session, run: payAll },
  {
    name: 'the held poll, before money arrives',
    accounts: 1,
    async run({ reach, fail, pay, page }) {
      fail(heldPoll);
      await reach('awaitingTransfer');
      await page.clock.runFor(1000);
      await pay();
      await reach('succeeded');
    },
  },
  {
    name: 'the check after “I have sent the money”',
    accounts: 1,
    async run({ reach, press, fail, pay }) {
      await reach('awaitingTransfer');
      fail(check);
      await press('sent');
      await reach('checking');
      await pay();
      await reach('succeeded');
    },
  },
  {
    name: 'the held poll after “I have sent the money”',
    accounts: 1,
    async run({ reach, press, fail, pay }) {
      await reach('awaitingTransfer');
      fail(heldPoll);
      await press('sent');
      await reach('checking');
      await pay();
      await reach('succeeded');
    },
  },
  {
    name: 'the poll that brings a part',
    accounts: 1,
    async run({ reach, fail, pay }) {
      fail(heldPoll);
      await reach('awaitingTransfer');
      await pay(500_000);
      await reach('partlyPaid');
      await pay();
      await reach('succeeded');
    },
  },
  {
    name: 'the poll that brings the rest',
    accounts: 1,
    async run({ reach, fail, pay }) {
      await reach('awaitingTransfer');
      fail(heldPoll);
      await pay(500_000);
      await reach('partlyPaid');
      await pay();
      await reach('succeeded');
    },
  },
  {
    name: 'the poll that says that the account has expired',
    accounts: 2,
    async run({ reach, requestNewAccount, fail, pay, shop }) {
      fail(heldPoll);
      await reach('awaitingTransfer');
      await shop.advance({ minutes: 31 });
      await reach('expired');
      await requestNewAccount();
      await pay();
      await reach('succeeded');
    },
  },
  {
    name: 'the request for a new account',
    accounts: 2,
    async run({ reach, requestNewAccount, fail, pay, shop }) {
      await reach('awaitingTransfer');
      await shop.advance({ minutes: 31 });
      await reach('expired');
      fail(newAccount);
      await requestNewAccount();
      await pay();
      await reach('succeeded');
    },
  },
  {
    name: 'the renewal of a refused secret',
    accounts: 1,
    async run({ reach, fail, network, pay }) {
      network.failNext(heldPoll, faults['is refused with 401'] as Fault);
      fail(renewal);
      await reach('awaitingTransfer');
      await pay();
      await reach('succeeded');
    },
  },
  {
    name: 'the request of a reloaded page',
    accounts: 1,
    async run({ reach, fail, reload, pay }) {
      await reach('awaitingTransfer');
      fail(session);
      await reload();
      await reach('awaitingTransfer');
      await pay();
      await reach('succeeded');
    },
  },
  {
    name: 'the request of a page that is reloaded after paying',
    accounts: 1,
    async run({ reach, fail, reload, pay }) {
      await reach('awaitingTransfer');
      await pay();
      await reach('succeeded');
      fail(session);
      await reload();
      await reach('succeeded');
    },
  },
];
