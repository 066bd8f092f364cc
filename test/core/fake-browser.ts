import type { Environment, SharedChannel } from '../../src/core/page/environment.ts';

type Waiting = { hold: () => Promise<void>; resolve: (value: unknown) => void; reject: (e: unknown) => void };

/** Creates what the tabs of one browser share: storage, locks and channels. All of it is asynchronous. */
export function createFakeBrowser() {
  let stored: string | null = null;
  let language: string | null = null;
  const pages = new Set<(type: string) => void>();
  const channels = new Map<string, Set<SharedChannel>>();
  const messages: unknown[] = [];
  const held = new Set<string>();
  const queues = new Map<string, Waiting[]>();

  const grant = (name: string): void => {
    const next = held.has(name) ? undefined : queues.get(name)?.shift();
    if (!next) return;
    held.add(name);
    next
      .hold()
      .then(next.resolve, next.reject)
      .finally(() => {
        held.delete(name);
        grant(name);
      });
  };

  const requestLock: Environment['requestLock'] = (name, { signal }, hold) =>
    new Promise((resolve, reject) => {
      const waiting: Waiting = { hold, resolve, reject };
      const queue = queues.get(name) ?? [];
      queues.set(name, [...queue, waiting]);
      signal.addEventListener('abort', () => {
        const left = queues.get(name) ?? [];
        if (!left.includes(waiting)) return;
        queues.set(
          name,
          left.filter((one) => one !== waiting),
        );
        reject(new DOMException('Aborted', 'AbortError'));
      });
      queueMicrotask(() => grant(name));
    });

  const openChannel = (name: string): SharedChannel => {
    const members = channels.get(name) ?? new Set();
    channels.set(name, members);
    const channel: SharedChannel = {
      onmessage: null,
      postMessage(message) {
        if (!members.has(channel)) throw new DOMException('Closed', 'InvalidStateError');
        const copy = structuredClone(message);
        messages.push(copy);
        for (const other of members) {
          if (other !== channel)
            setImmediate(() => other.onmessage?.(new MessageEvent('message', { data: copy })));
        }
      },
      close: () => members.delete(channel),
    };
    members.add(channel);
    return channel;
  };

  return {
    requestLock,
    openChannel,
    readLanguage: () => language,
    writeLanguage: (tag: string) => {
      language = tag;
    },
    readStored: () => stored,
    /** Notifies the other pages when the text has changed. */
    writeStored: (text: string, writer?: (type: string) => void) => {
      const isNews = text !== stored;
      stored = text;
      if (isNews) for (const page of pages) if (page !== writer) setImmediate(() => page('storage'));
    },
    addPage: (notify: (type: string) => void) => pages.add(notify),
    /** All messages sent on channels. */
    messages,
    openChannels: () => [...channels.values()].reduce((sum, members) => sum + members.size, 0),
    heldLocks: () => held.size,
    waitingForLocks: () => [...queues.values()].reduce((sum, queue) => sum + queue.length, 0),
  };
}

export type FakeBrowser = ReturnType<typeof createFakeBrowser>;
