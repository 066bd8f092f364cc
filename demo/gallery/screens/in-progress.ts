import type { State } from '../../../src/core/state.ts';
import { checking, inTest, longAccount, notFound, shown, waiting } from './fixtures.ts';
import type { GalleryScreen } from './gallery-screen.ts';

export const inProgressScreens: readonly GalleryScreen[] = [
  { name: 'loading', state: { name: 'loading', failures: 0 } },
  {
    name: 'loading-stored',
    state: { name: 'loading', failures: 0, stored: { reference: waiting.reference, isClaimed: false } },
  },
  { name: 'loading-stillTrying', state: { name: 'loading', failures: 1 } },
  { name: 'loading-long', state: { name: 'loading', failures: 2 }, stoodMs: 8000 },
  {
    name: 'loading-longStored',
    state: { name: 'loading', failures: 2, stored: { reference: waiting.reference, isClaimed: false } },
    stoodMs: 8000,
  },
  { name: 'loading-offline', state: { name: 'loading', failures: 1, isOffline: true } },
  { name: 'checking', state: checking('sent') },
  { name: 'checking-refused', state: { ...checking('unclear'), connection: 'refused' } as State },
  { name: 'checking-late', state: checking('sent', { outcome: 'expired', status: 'expired' }) },
  { name: 'checking-offline', state: { ...checking('sent'), isOffline: true, checkedAtMs: -40_000 } },
  { name: 'checking-part', state: checking('sent', { chargedAmount: 1_200_000 }) },
  { name: 'checking-long', state: checking('sent'), stoodMs: 300_000 },
  { name: 'checking-unclear', state: checking('unclear', { outcome: 'unclear' }) },
  { name: 'checking-notFound', state: checking('unclear', notFound) },
  { name: 'checking-notFound-test', state: checking('unclear', { ...notFound, ...inTest }) },
  { name: 'partlyPaid', state: shown('partlyPaid', { chargedAmount: 500_000 }) },
  {
    name: 'partlyPaid-long',
    state: shown('partlyPaid', {
      account: longAccount,
      amount: { value: 123_456_789_000, currency: 'NGN' },
      chargedAmount: 123_456_788_999,
    }),
  },
  { name: 'partlyPaid-lost', state: shown('partlyPaid', { chargedAmount: 500_000 }, 'lost') },
  { name: 'confirming', state: shown('confirming', { status: 'charged', chargedAmount: 1_250_000 }) },
  {
    name: 'confirming-retrying',
    state: shown('confirming', { status: 'charged', chargedAmount: 1_250_000 }, 'retrying'),
  },
];
