import { computed, type ReadonlySignal, signal } from '@preact/signals';
import { createContext } from 'preact';
import { firstLeadOf, formatDuration, laterLeadsOf, spokenStep, titleOf } from '../../model/index.ts';
import { again, spokenConnection } from '../hooks/connection-status.ts';
import type { CheckoutContext } from '../hooks/use-checkout.ts';
import { labelOfCopy, nameOfCopy } from '../hooks/use-copy.ts';

/** What stands in the live regions, for screen readers to speak. */
export type Announcements = {
  /** What there is to say, line by line. */
  readonly next: ReadonlySignal<readonly string[]>;
  /** What stands in the live regions. */
  readonly lines: ReadonlySignal<readonly string[]>;
  /** Writes what there is to say; called when the screen that it belongs to is rendered. */
  readonly commit: () => void;
  /** The focus has gone to this text, and so it is read: of what is new, the same is not said as well. */
  readonly leaveOut: (read: string) => void;
  readonly stop: () => void;
};

export const AnnouncerContext = createContext<Announcements | undefined>(undefined);

/**
 * How long a line stays. Screen readers take it up when it comes, and keep it until they have spoken it; later it would only be
 * met a second time, by those who read through the page.
 */
const stayMs = 10_000;

/** @param settleFocus brings the focus to where it belongs on a new screen: what it reads there is not said as well */
export function createAnnouncements(context: CheckoutContext, settleFocus: () => void): Announcements {
  // Each by itself: of the time left, which changes every second, only another step makes new lines.
  const parts = [
    computed(() => stateLine(context)),
    computed(() => join(spokenConnection(context))),
    computed(() => copiedLine(context)),
    computed(() => timeLine(context)),
  ];
  const next = computed(() => parts.map(({ value }) => value));
  const lines = signal<readonly string[]>([]);
  let read = '';
  let last: readonly string[] = [];
  let isOver: readonly boolean[] = [];
  let isStateNew = false;
  let cancel = (): void => {};

  const write = (): void => {
    const unread = read ? stateLine(context, read) : (last[0] ?? '');
    lines.value = [unread, ...last.slice(1)].map((line, index) => (isOver[index] ? '' : line));
  };
  return {
    next,
    lines,
    commit() {
      const isSame = next.peek().map((line, index) => line === last[index]);
      if (!isSame.includes(false)) return;
      last = next.peek();
      isOver = isSame.map((same, index) => same && !!isOver[index]);
      isStateNew = !isSame[0];
      if (isStateNew) read = '';
      settleFocus();
      isStateNew = false;
      write();
      cancel();
      // The first line stays until there is something else to say.
      if (context.state.peek().name === 'loading') return;
      cancel = context.model.clock.setTimer(() => {
        isOver = last.map(() => true);
        write();
      }, stayMs);
    },
    leaveOut(text) {
      if (isStateNew) read = text;
    },
    stop: () => cancel(),
  };
}

/** What has happened, without what was read already. Of an account to pay into, the lead goes on with the title's sentence. */
function stateLine({ state, speech, timers }: CheckoutContext, read = ''): string {
  const [now, words] = [state.value, speech.value];
  const story = { isLong: timers.isLong.value, isKept: timers.isKept.value };
  const isUnread = (part: string): boolean => !read.includes(part);
  const first = [titleOf(now, words), firstLeadOf(now, words)].filter(isUnread);
  const rest = laterLeadsOf(now, words, story).filter(isUnread);
  return join(now.name === 'awaitingTransfer' ? [first.join(' '), ...rest] : [...first, ...rest]);
}

/** One line of several, each a sentence of its own, whether it ends like one or not. */
const join = (parts: readonly string[], separator = '. '): string =>
  parts
    .filter(Boolean)
    .join(separator)
    .replace(/([.!?…؟])\. /g, '$1 ');

function timeLine({ speech, timers }: CheckoutContext): string {
  const remainingMs = timers.remainingMs.value;
  if (!remainingMs) return '';
  const time = formatDuration(spokenStep(remainingMs), speech.value);
  return speech.value.text('spokenTimeLeft', { time });
}

/** What was copied last, or has to be copied by hand. */
export function copiedLine({ copied, speech }: CheckoutContext): string {
  if (!copied.value) return '';
  const { field, worked, times } = copied.value;
  const { text } = speech.value;
  return again(nameOfCopy(field, text(labelOfCopy(worked)), text), times);
}
