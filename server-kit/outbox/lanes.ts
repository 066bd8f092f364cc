import type { Wait } from '../async/wait.ts';
import type { Log } from '../telemetry/log.ts';

/** Runs handlers side by side, so that one that takes long holds up no other. */
export type HandlerLanes = {
  /** Runs what is due, soon. What is added meanwhile is run too. */
  runSoon: () => void;
  /** Resolves when nothing runs. */
  settled: () => Promise<void>;
  /** Begins nothing more. */
  close: () => void;
};

export type HandlerLanesOptions<Item> = {
  /** Takes the next outcome that is due, if any. */
  claim: () => Promise<Item | undefined>;
  /** Calls the handler of what was claimed. */
  run: (item: Item) => Promise<void>;
  /** How many run at once at most, in lanes and beside them. */
  maxRuns: number;
  wait: Wait;
  /** Hears what `claim` and `run` reject with. */
  log: Log;
};

/** How many handlers run at once as long as none takes long. */
export const maxLanes = 4;

/** A handler that has run for this long gives its lane to the next, and goes on beside the lanes. */
const slowAfterMs = 3000;

/**
 * Creates lanes that take one item after the other until none is due. What has run for three seconds leaves its lane to others: at
 * most `maxRuns` run in all, and from there on each lane waits for an end.
 */
export function createHandlerLanes<Item>(options: HandlerLanesOptions<Item>): HandlerLanes {
  const { claim, run, maxRuns, wait, log } = options;
  const running = new Set<Promise<void>>();
  let openLanes = 0;
  let slowRuns = 0;
  let isClosed = false;
  let hasNews = false;

  /** Runs one item, which leaves its lane when it takes long. */
  async function runOne(item: Item, lane: { isLeft: boolean }): Promise<void> {
    const ended = new AbortController();
    const leaveLane = (): void => {
      if (ended.signal.aborted) return;
      lane.isLeft = true;
      openLanes--;
      slowRuns++;
      runSoon();
    };
    wait(slowAfterMs, ended.signal, true).then(leaveLane, () => {});
    try {
      await run(item);
    } finally {
      ended.abort();
    }
  }

  async function runLane(): Promise<void> {
    const lane = { isLeft: false };
    try {
      while (!isClosed && !lane.isLeft) {
        hasNews = false;
        const item = await claim();
        if (item !== undefined) {
          // There may be more, for another lane.
          runSoon();
          await runOne(item, lane);
        } else if (!hasNews) return;
      }
    } catch (error) {
      log({ type: 'backgroundFailed', error });
    } finally {
      if (lane.isLeft) {
        slowRuns--;
        // Where all places were taken, nobody has looked since.
        runSoon();
      } else openLanes--;
    }
  }

  function runSoon(): void {
    hasNews = true;
    if (isClosed || openLanes >= maxLanes || openLanes + slowRuns >= maxRuns) return;
    openLanes++;
    const lane = runLane().finally(() => running.delete(lane));
    running.add(lane);
  }

  return {
    runSoon,
    async settled() {
      while (running.size > 0) await Promise.all(running);
    },
    close() {
      isClosed = true;
    },
  };
}
