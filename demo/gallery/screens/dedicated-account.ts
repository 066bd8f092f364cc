import type { DedicatedAccountView } from '../../../src/contract/index.ts';
import { emptied, inTest, longAccount, shop, waiting, wordmark } from './fixtures.ts';
import type { GalleryScreen } from './gallery-screen.ts';

const kept: DedicatedAccountView = { account: waiting.account, currency: 'NGN', liveMode: true };

export const dedicatedAccountScreens: readonly GalleryScreen[] = [
  { name: 'dedicatedAccount', view: kept },
  { name: 'dedicatedAccount-test', view: { ...kept, ...inTest } },
  { name: 'dedicatedAccount-copied', view: kept, press: ['.accountNumber button'] },
  {
    name: 'dedicatedAccount-pressToCopy',
    view: kept,
    press: ['.accountNumber button'],
    clipboard: 'refuses',
  },
  { name: 'dedicatedAccount-long', view: { ...kept, ...inTest, account: longAccount } },
  {
    name: 'dedicatedAccount-wordmark',
    view: kept,
    settings: { logo: { src: wordmark, alt: 'Kola’s Bookshop' } },
  },
  { name: 'dedicatedAccount-bare', view: kept, settings: emptied(shop) },
];
