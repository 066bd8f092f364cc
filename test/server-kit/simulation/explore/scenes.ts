import { lateMoneyScenes } from './late-money-scenes.ts';
import { orderScenes } from './order-scenes.ts';
import type { Scene } from './scene.ts';
import { serviceScenes } from './service-scenes.ts';

/** All scenes. Their names are for the command line. */
export const scenes: readonly Scene[] = [...lateMoneyScenes, ...serviceScenes, ...orderScenes];
