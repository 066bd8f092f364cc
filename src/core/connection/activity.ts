import { linkAbort } from './wait.ts';

/** `waiting` for the next check; a `held` check, to which the server may respond late; or an `immediate` check. */
export type ActivityKind = 'waiting' | 'held' | 'immediate';

/** The one activity of a poller at a time. It ends on its own or by `cancel`. */
export type Activity = {
  readonly run: (kind: ActivityKind, work: (cancelled: AbortSignal) => Promise<void>) => Promise<void>;
  readonly cancel: () => void;
  readonly kind: () => ActivityKind | undefined;
};

export function createActivity(signal: AbortSignal): Activity {
  let current: { readonly cancel: () => void; readonly kind: ActivityKind } | undefined;
  return {
    async run(kind, work) {
      const { controller, release } = linkAbort(signal);
      current = { cancel: () => controller.abort(), kind };
      await work(controller.signal);
      current = undefined;
      release();
    },
    cancel: () => current?.cancel(),
    kind: () => current?.kind,
  };
}
