import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { CheckoutContext } from '../hooks/use-checkout.ts';
import { connectionLine, copyLine, stateLine, timeLine } from './lines.ts';

/** The lines that screen readers announce, one for each live region. */
export type Announcements = {
  /** The lines to announce. */
  readonly next: ReadonlySignal<readonly string[]>;
  /** The lines that the live regions contain now. */
  readonly lines: ReadonlySignal<readonly string[]>;
  /** Writes the next lines when their screen is rendered. `restoreFocus` returns text of it that is read because the focus moves there. */
  readonly commit: (restoreFocus: () => string) => void;
  readonly stop: () => void;
};

/**
 * How long a line stays. Screen readers queue a line when it appears; if it stayed longer, readers would meet it a second time
 * while browsing the page.
 */
export const lineLifetimeMs = 10_000;

/** Creates the announcements of a checkout. */
export function createAnnouncements(context: CheckoutContext): Announcements {
  // One computed each: the time left changes every second, but its line only at certain steps.
  const parts = [stateLine, connectionLine, copyLine, timeLine].map((line) => computed(() => line(context)));
  const next = computed(() => parts.map(({ value }) => value));
  const lines = signal<readonly string[]>(parts.map(() => ''));
  let last: readonly string[] = [];
  let cancel = (): void => {};

  return {
    next,
    lines,
    commit(restoreFocus) {
      const now = next.peek();
      const isNew = now.map((line, index) => line !== last[index]);
      if (!isNew.includes(true)) return;
      last = now;
      const read = restoreFocus();
      const unread = [read ? stateLine(context, read) : now[0], ...now.slice(1)];
      lines.value = lines.peek().map((line, index) => (isNew[index] ? unread[index] : line) ?? '');
      cancel();
      // The loading line stays until there is another.
      if (context.state.peek().name === 'loading') return;
      cancel = context.model.clock.setTimer(() => {
        lines.value = parts.map(() => '');
      }, lineLifetimeMs);
    },
    stop: () => cancel(),
  };
}
