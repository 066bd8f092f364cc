import { emptied, expired, inTest, paid, policies, shop, shown, waiting } from './fixtures.ts';
import type { GalleryScreen } from './gallery-screen.ts';

export const endedScreens: readonly GalleryScreen[] = [
  { name: 'succeeded', state: shown('succeeded', paid) },
  { name: 'succeeded-test', state: shown('succeeded', { ...paid, ...inTest }) },
  { name: 'succeeded-overpaid', state: shown('succeeded', { ...paid, chargedAmount: 1_300_000 }) },
  {
    name: 'succeeded-policy',
    state: shown('succeeded', { ...paid, chargedAmount: 1_300_000 }),
    settings: policies,
  },
  { name: 'succeeded-paidTwice', state: shown('succeeded', { ...paid, orderChargedAmount: 2_500_000 }) },
  { name: 'succeeded-returning', state: shown('succeeded', paid), settings: { returnAfterSeconds: 5 } },
  { name: 'succeeded-bare', state: shown('succeeded', paid), settings: emptied(shop) },
  { name: 'expired', state: expired() },
  { name: 'expired-leaving', state: expired(), press: ['[data-action="back"]'] },
  { name: 'expired-part', state: { ...expired({ chargedAmount: 1_200_000 }), checkedAtMs: -5000 } },
  {
    name: 'expired-part-policy',
    state: { ...expired({ chargedAmount: 1_200_000 }), checkedAtMs: -5000 },
    settings: policies,
  },
  {
    name: 'expired-kept',
    before: { name: 'loading', failures: 0, previous: waiting },
    state: expired(),
  },
  { name: 'expired-earlierMoney', state: expired({ orderChargedAmount: 500_000 }) },
  { name: 'expired-replaced', state: shown('expired', { outcome: 'replaced' }) },
  {
    name: 'expired-lost',
    state: shown('expired', { outcome: 'expired', status: 'expired' }, 'lost'),
  },
  { name: 'receivedLate', state: shown('receivedLate', { ...paid, receivedLate: true }) },
  {
    name: 'receivedLate-paidTwice',
    state: shown('receivedLate', {
      ...paid,
      receivedLate: true,
      reference: 'order-1001-2',
      paymentReference: 'order-1001-1',
      orderChargedAmount: 2_500_000,
    }),
  },
  {
    name: 'receivedLate-policy',
    state: shown('receivedLate', { ...paid, receivedLate: true, chargedAmount: 1_300_000 }),
    settings: policies,
  },
  { name: 'failed', state: shown('failed', { outcome: 'failed', status: 'failed' }) },
  {
    name: 'failed-amountMismatch',
    state: shown('failed', { outcome: 'amountMismatch', status: 'succeeded', chargedAmount: 1_000_000 }),
  },
  { name: 'reversed', state: shown('reversed', { ...paid, outcome: 'reversed', status: 'reversed' }) },
  { name: 'unavailable', state: { name: 'unavailable', code: 'forbidden', failures: 1 } },
  {
    name: 'unavailable-stored',
    state: {
      name: 'unavailable',
      code: 'network_error',
      failures: 1,
      isOffline: true,
      stored: { reference: waiting.reference, isClaimed: false },
    },
  },
  {
    name: 'unavailable-claimed',
    state: {
      name: 'unavailable',
      code: 'network_error',
      failures: 1,
      stored: { reference: waiting.reference, isClaimed: true },
    },
  },
  {
    name: 'unavailable-service',
    state: { name: 'unavailable', code: 'service_unavailable', failures: 5 },
  },
  {
    name: 'unavailable-network',
    state: { name: 'unavailable', code: 'network_error', failures: 1, previous: waiting, isOffline: true },
  },
];
