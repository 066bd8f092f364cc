import { describe, expect, it } from 'vitest';
import type { PaymentView } from '../../../../src/contract/index.ts';
import { stateOfPayment } from '../../../../src/core/state.ts';
import type { PaymentFacts } from '../../kit/payment-facts.ts';
import { chooseTimes, startMs } from '../world/settings.ts';
import { createWorld, emptyResult } from '../world/world.ts';
import { createScreens } from './screens.ts';
import type { Tab } from './tabs.ts';

const amount = { value: 1000, currency: 'NGN' };

function viewOf(reference: string, more: object = {}): PaymentView {
  return {
    reference,
    amount,
    chargedAmount: 0,
    status: 'awaiting_charge',
    outcome: 'pending' as const,
    account: { number: `account of ${reference}`, name: 'Shop', bankName: 'Bank' },
    openedAt: '2026-03-01T12:00:00Z',
    expiresAt: '2026-03-01T12:30:00Z',
    liveMode: false,
    ...more,
  };
}

function recordOf(reference: string, more: Partial<PaymentFacts> = {}): PaymentFacts {
  return {
    reference,
    orderId: 'order-0',
    amount,
    opened: null,
    observed: null,
    reported: 0,
    outcome: 'pending',
    ...more,
  };
}

const observed = (status: string, chargedAmount: number) => ({
  observed: { status, chargedAmount, expectedAmount: 1000, updatedAt: '2026-03-01T12:10:00Z' },
});

function setUp() {
  const result = emptyResult();
  const settings = { seed: 1, wave: 0, orders: 1, faults: 0, instances: 1, store: 'memory' } as const;
  const world = createWorld({ settings, result, faults: () => 0, chooseTimes });
  const screens = createScreens(world);
  const addTab = (view: PaymentView, undisturbedSinceMs = startMs): void => {
    const tab: Tab = {
      orderId: 'order-0',
      reference: view.reference,
      state: () => stateOfPayment(view, 'ok'),
      undisturbedSinceMs: () => undisturbedSinceMs,
      isOpen: () => true,
      setVisible() {},
      refresh() {},
      close() {},
    };
    screens.add(tab);
  };
  const rulesBrokenAfter = async (seconds: number): Promise<string[]> => {
    await world.clock.runUntil(startMs + seconds * 1000);
    return [...new Set(result.violations.map(({ rule }) => rule))];
  };
  const rulesBrokenAtRest = (): string[] => {
    screens.checkAtRest();
    return [...new Set(result.violations.map(({ rule }) => rule))];
  };
  return { screens, addTab, rulesBrokenAfter, rulesBrokenAtRest };
}

describe('the rules about screens', () => {
  it('forbid a tab to ask for money ten seconds after another payment of its order was stored as paid', async () => {
    const { screens, addTab, rulesBrokenAfter } = setUp();
    addTab(viewOf('second'));
    screens.recordStored(recordOf('first', { outcome: 'paid', ...observed('succeeded', 1000) }));
    expect(await rulesBrokenAfter(9)).toEqual([]);
    expect(await rulesBrokenAfter(11)).toEqual(['no tab of a paid order asks for money']);
  });

  it('forbid a tab to ask for money while another payment may hold some, unless the screen shows it', async () => {
    const { screens, addTab, rulesBrokenAfter } = setUp();
    addTab(viewOf('second'));
    screens.recordStored(recordOf('first', observed('charged', 1000)));
    expect(await rulesBrokenAfter(11)).toEqual([
      'no tab shows an account while another payment may hold money',
    ]);
    const disclosing = setUp();
    disclosing.addTab(viewOf('second', { orderChargedAmount: 1000 }));
    disclosing.screens.recordStored(recordOf('first', observed('charged', 1000)));
    expect(await disclosing.rulesBrokenAfter(11)).toEqual([]);
  });

  it('ignore hidden tabs, and money on a payment that was replaced after a cart change', async () => {
    const { screens, addTab, rulesBrokenAfter } = setUp();
    addTab(viewOf('second'), Infinity);
    screens.recordStored(recordOf('first', { outcome: 'paid', ...observed('succeeded', 1000) }));
    expect(await rulesBrokenAfter(11)).toEqual([]);
    const changed = setUp();
    changed.addTab(viewOf('second'));
    changed.screens.recordStored(recordOf('first', { outcome: 'replaced', ...observed('succeeded', 1000) }));
    expect(await changed.rulesBrokenAfter(11)).toEqual([]);
  });

  it('forbid two tabs to ask for money to different accounts, or to show different outcomes of a paid order', () => {
    const unpaid = setUp();
    unpaid.addTab(viewOf('first'));
    unpaid.addTab(viewOf('second'));
    expect(unpaid.rulesBrokenAtRest()).toEqual(['all tabs of an order agree']);
    const paid = setUp();
    paid.addTab(viewOf('first', { outcome: 'paid', status: 'succeeded', chargedAmount: 1000 }));
    paid.addTab(viewOf('second', { outcome: 'expired', status: 'expired' }));
    paid.screens.recordStored(recordOf('first', { outcome: 'paid', ...observed('succeeded', 1000) }));
    expect(paid.rulesBrokenAtRest()).toEqual(['all tabs of an order agree']);
  });

  it('accept the view of the deciding payment, whichever session read it', () => {
    const { screens, addTab, rulesBrokenAtRest } = setUp();
    const facts = { outcome: 'paid', status: 'succeeded', chargedAmount: 1000 };
    addTab(viewOf('first', facts));
    addTab(viewOf('second', { ...facts, paymentReference: 'first' }));
    screens.recordStored(recordOf('first', { outcome: 'paid', ...observed('succeeded', 1000) }));
    expect(rulesBrokenAtRest()).toEqual([]);
  });
});
