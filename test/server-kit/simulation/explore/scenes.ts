import { lateMoneyScenes } from './late-money-scenes.ts';
import { orderScenes } from './order-scenes.ts';
import { serviceScenes } from './service-scenes.ts';
import type { Scene } from './stage.ts';

/** All scenes. Their names are for the command line. */
export const scenes: readonly Scene[] = [...lateMoneyScenes, ...serviceScenes, ...orderScenes];
