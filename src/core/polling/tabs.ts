import type { Environment } from '../page/environment.ts';

/** One payment's share of the talk among the tabs of a site. */
export type Tabs = {
  /** Takes part, from when the page can be seen. Does nothing when it does already. */
  readonly join: () => void;
  /** Lets go of the lock and the channel, so that another tab takes over and the page can be frozen. */
  readonly leave: () => void;
  /** True while it is for this tab to ask the server. */
  readonly isLeader: () => boolean;
  /** Tells the other tabs. Without effect where there is no telling. */
  readonly tell: (message: unknown) => void;
};

/**
 * Lets one of all tabs that show a payment ask the server, the one that holds the lock, and the others hear of it.
 * In browsers without locks or channels, or where they are forbidden, every tab is its own leader.
 *
 * @param name says which payment it is, and nothing secret: every page of the site can read it
 * @param onMessage gets what another tab told
 * @param onLeading is called when this tab becomes the leader
 */
export function createTabs(
  environment: Environment,
  name: string,
  onMessage: (message: unknown) => void,
  onLeading: () => void,
): Tabs {
  let current: { tell: (message: unknown) => void; leave: () => void } | undefined;
  let isLeader = false;

  const lead = (): void => {
    isLeader = true;
    onLeading();
  };

  const join = (): void => {
    const leaving = new AbortController();
    const { signal } = leaving;
    try {
      const locks = environment.locks();
      if (!locks) throw new Error('There are no locks.');
      const channel = environment.openChannel(name);
      channel.onmessage = ({ data }) => onMessage(data);
      current = {
        tell: (message) => channel.postMessage(message),
        leave() {
          leaving.abort();
          channel.onmessage = null;
          channel.close();
        },
      };
      const hold = (): Promise<void> => {
        if (signal.aborted) return Promise.resolve();
        lead();
        return new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
      };
      // Also a lock that is refused, or stolen, must not leave this tab without answers.
      locks.request(name, { signal }, hold).catch(() => signal.aborted || lead());
    } catch {
      current?.leave();
      current = { tell: () => {}, leave: () => {} };
      lead();
    }
  };

  return {
    join: () => current ?? join(),
    leave() {
      current?.leave();
      current = undefined;
      isLeader = false;
    },
    isLeader: () => isLeader,
    tell: (message) => current?.tell(message),
  };
}
