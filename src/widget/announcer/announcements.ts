import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { CheckoutContext } from '../hooks/use-checkout.ts';
import { connectionLine, copyLine, stateLine, timeLine } from './lines.ts';

/** The lines that screen readers announce, one for each live region. */
export type Announcements = {
  /** The lines to announce. */
  readonly next: ReadonlySignal<readonly string[]>;
  /** The lines that the live regions contain now. */
  readonly lines: ReadonlySignal<readonly string[]>;
  /** Writes the next lines, after `restoreFocus`; called when their screen is rendered. */
  readonly commit: (restoreFocus: () => void) => void;
  /** Skips text of a new screen that was read already, because the focus has moved to it. */
  readonly skip: (text: string) => void;
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
  const lines = signal<readonly string[]>([]);
  let skipped = '';
  let last: readonly string[] = [];
  let isExpired: readonly boolean[] = [];
  let isNewState = false;
  let cancel = (): void => {};

  const write = (): void => {
    const unread = skipped ? stateLine(context, skipped) : (last[0] ?? '');
    lines.value = [unread, ...last.slice(1)].map((line, index) => (isExpired[index] ? '' : line));
  };
  return {
    next,
    lines,
    commit(restoreFocus) {
      const isSame = next.peek().map((line, index) => line === last[index]);
      if (!isSame.includes(false)) return;
      last = next.peek();
      isExpired = isSame.map((same, index) => same && !!isExpired[index]);
      isNewState = !isSame[0];
      if (isNewState) skipped = '';
      restoreFocus();
      isNewState = false;
      write();
      cancel();
      // The loading line stays until there is another.
      if (context.state.peek().name === 'loading') return;
      cancel = context.model.clock.setTimer(() => {
        isExpired = last.map(() => true);
        write();
      }, lineLifetimeMs);
    },
    skip(text) {
      if (isNewState) skipped = text;
    },
    stop: () => cancel(),
  };
}
