import type { Environment, SharedChannel } from '../page/environment.ts';
import { wait } from '../page/wait.ts';

/** The tabs of a site that show the same payment. One of them is the leader. */
export type TabGroup = {
  /** Joins the group. Does nothing when joined. */
  readonly join: () => void;
  /** Releases the lock and the channel, so that another tab can lead and the page can be frozen. */
  readonly leave: () => void;
  readonly isLeader: () => boolean;
  /** Sends a message to the other tabs, where channels are supported. */
  readonly share: (message: unknown) => void;
};

/**
 * Creates this tab's membership of a group. The leader holds a lock, and shares messages with the others. In browsers without locks or
 * channels, or where they are blocked, every tab leads itself.
 *
 * @param name identifies the payment; every page of the site can read it, so it must not be secret
 * @param onMessage receives the messages of other tabs
 * @param onLeading is called when this tab becomes the leader
 */
export function createTabGroup(
  environment: Environment,
  name: string,
  onMessage: (message: unknown) => void,
  onLeading: () => void,
): TabGroup {
  let leaving: AbortController | undefined;
  let channel: SharedChannel | undefined;
  let isLeader = false;

  const lead = (): void => {
    isLeader = true;
    onLeading();
  };

  const closeChannel = (): void => {
    if (channel) channel.onmessage = null;
    channel?.close();
    channel = undefined;
  };

  return {
    join() {
      if (leaving) return;
      leaving = new AbortController();
      const { signal } = leaving;
      const hold = async (): Promise<void> => {
        if (signal.aborted) return;
        lead();
        await wait(environment, signal);
      };
      try {
        channel = environment.openChannel(name);
        channel.onmessage = ({ data }) => onMessage(data);
        // A refused or stolen lock must not leave this tab without responses.
        environment.requestLock(name, { signal }, hold).catch(() => signal.aborted || lead());
      } catch {
        closeChannel();
        lead();
      }
    },
    leave() {
      leaving?.abort();
      leaving = undefined;
      closeChannel();
      isLeader = false;
    },
    isLeader: () => isLeader,
    share: (message) => channel?.postMessage(message),
  };
}
