/** A run of an event's handler, from the event's claim until its result is recorded. */
export type Run = {
  /** Resolves when the handler may start. */
  place: Promise<unknown>;
  /** Aborts when the run no longer counts, for the reason that is recorded as its failure. */
  ending: AbortController;
  /** To be called from time to time once the handler has run as long as its lease: it offers its place. */
  onLong: () => void;
};

/** The places of the runs. */
export type Places = {
  /** Whether a run may start: a place is free, or offered. */
  canStart: () => boolean;
  /** Starts a run, whose work never rejects. If no place is free, the first that offers its own is interrupted for it. */
  start: (work: (run: Run) => Promise<void>) => void;
  /** Drops the offers, because nothing needs a place. */
  dropOffers: () => void;
  /** Interrupts all runs, also those that start later. */
  interrupt: (reason: Error) => void;
  /** Resolves when the runs of this moment have ended; `undefined` if there are none. */
  ended: () => Promise<unknown> | undefined;
};

const tookLong = new Error('The handler took longer than handlerLeaseMs while another needed its place.');

/**
 * Creates places for `max` runs.
 *
 * @param onChange called when a place becomes free, or is offered
 */
export function createPlaces(max: number, onChange: () => void): Places {
  const runs = new Map<Run, Promise<void>>();
  const offering = new Set<Run>();
  let interruptedBy: Error | undefined;

  const isFree = (): boolean => runs.size < max;

  function makeRoom(): Promise<unknown> | undefined {
    const [leaving] = offering;
    if (isFree() || leaving === undefined) return undefined;
    offering.delete(leaving);
    leaving.ending.abort(tookLong);
    return runs.get(leaving);
  }

  return {
    canStart: () => isFree() || offering.size > 0,
    start(work) {
      const onLong = (): void => {
        if (!run.ending.signal.aborted) offering.add(run);
        onChange();
      };
      const run: Run = { place: Promise.resolve(makeRoom()), ending: new AbortController(), onLong };
      if (interruptedBy !== undefined) run.ending.abort(interruptedBy);
      const ended = work(run).finally(() => {
        runs.delete(run);
        offering.delete(run);
        onChange();
      });
      runs.set(run, ended);
    },
    dropOffers: () => offering.clear(),
    interrupt(reason) {
      interruptedBy = reason;
      for (const { ending } of runs.keys()) ending.abort(reason);
    },
    ended: () => (runs.size === 0 ? undefined : Promise.all(runs.values())),
  };
}
