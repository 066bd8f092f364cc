import { visit } from './actors.ts';
import type { Stage } from './stage.ts';
import type { ServiceManner } from './stage-service.ts';

/** A short play about one order. It is played again and again, with another mishap at another step each time. */
export type Scene = {
  name: string;
  /** How many instances the shop has. Default: 1. */
  instances?: number;
  /** How long the service takes to confirm money, in seconds. Default: 0. */
  confirmationSeconds?: number;
  /** How the service behaves from the start. */
  manner?: ServiceManner;
  /** No callback ever arrives. */
  hasNoCallbacks?: boolean;
  play: (stage: Stage) => Promise<void>;
};

/** Lets time pass in which nothing of interest happens: the rounds of the shop are no steps. */
export const pause = ({ world, scheduler }: Stage, seconds: number): Promise<void> => {
  scheduler.setCounting(false);
  return world.clock.wait(seconds * 1000).then(() => scheduler.setCounting(true));
};

/** The first account is given out, and expires unpaid. */
export async function expireFirst(stage: Stage): Promise<void> {
  stage.scheduler.setCounting(false);
  await visit(stage);
  await pause(stage, 75);
}
