import type { Wait } from '../async/wait.ts';
import type { Log } from '../telemetry/log.ts';

/** Runs handlers concurrently, so that a slow one does not hold up the others. */
export type HandlerLanes = {
  /** Runs what is due soon, including what is added meanwhile. */
  runSoon: () => void;
  /** Resolves when nothing runs. */
  settled: () => Promise<void>;
  /** Starts nothing more. */
  close: () => void;
};

export type HandlerLanesOptions<Item> = {
  /** Claims the next due item, if any. */
  claim: () => Promise<Item | undefined>;
  run: (item: Item) => Promise<void>;
  /** The most items that run at once, in lanes and beside them. */
  maxRuns: number;
  wait: Wait;
  log: Log;
};

/** How many handlers run at once while none is slow. */
export const maxLanes = 4;

/** After this long, a handler gives its lane to the next one and continues beside the lanes. */
const slowAfterMs = 3000;

/**
 * Creates lanes that run one item after the other until none is due. An item that has run for three seconds leaves its lane
 * to others, until `maxRuns` items run.
 */
export function createHandlerLanes<Item>(options: HandlerLanesOptions<Item>): HandlerLanes {
  const { claim, run, maxRuns, wait, log } = options;
  const running = new Set<Promise<void>>();
  let openLanes = 0;
  let slowRuns = 0;
  let isClosed = false;
  let hasNews = false;

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
          // Another lane may take the next one.
          runSoon();
          await runOne(item, lane);
        } else if (!hasNews) return;
      }
    } catch (error) {
      log({ type: 'backgroundFailed', error });
    } finally {
      if (lane.isLeft) {
        slowRuns--;
        // While all places were taken, no lane checked for new items.
        runSoon();
      } else openLanes--;
    }
  }

  function runSoon(): void {
    hasNews = true;
    if (openLanes >= maxLanes || openLanes + slowRuns >= maxRuns) return;
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
