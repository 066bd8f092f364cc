import type { State } from '../../src/core/state.ts';
import { awaitingScreens } from './screens/awaiting.ts';
import { endedScreens } from './screens/ended.ts';
import { shop } from './screens/fixtures.ts';
import type { GalleryScreen } from './screens/gallery-screen.ts';
import { inProgressScreens } from './screens/in-progress.ts';

export type { GalleryScreen } from './screens/gallery-screen.ts';

/** The groups of the gallery, and the states in each. */
export const groups = {
  waiting: { title: 'Waiting', states: ['loading', 'awaitingTransfer', 'checking', 'confirming'] },
  partlyPaid: { title: 'Partly paid', states: ['partlyPaid'] },
  paid: { title: 'Paid', states: ['succeeded', 'receivedLate'] },
  problems: { title: 'Problems', states: ['expired', 'failed', 'reversed', 'unavailable'] },
} as const satisfies { readonly [name: string]: { title: string; states: readonly State['name'][] } };

/** Every screen: the gallery shows them, and the tests check them. */
export const screens: readonly GalleryScreen[] = [
  ...awaitingScreens,
  ...inProgressScreens,
  ...endedScreens,
].map((screen) => ({ ...screen, settings: { ...shop, ...screen.settings } }));
