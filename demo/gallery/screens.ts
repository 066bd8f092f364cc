import { awaitingScreens } from './screens/awaiting.ts';
import { endedScreens } from './screens/ended.ts';
import { shop } from './screens/fixtures.ts';
import type { GalleryScreen } from './screens/gallery-screen.ts';
import { inProgressScreens } from './screens/in-progress.ts';

export type { GalleryScreen } from './screens/gallery-screen.ts';

/** Every screen: the gallery shows them, and the tests check them. */
export const screens: readonly GalleryScreen[] = [
  ...awaitingScreens,
  ...inProgressScreens,
  ...endedScreens,
].map((screen) => ({ ...screen, settings: { ...shop, ...screen.settings } }));
