import { signal } from '@preact/signals';
import { type CheckoutModel, firstLeadOf } from '../model/index.ts';
import { formatDuration, fullTitleOf, laterLeadsOf, spokenStep } from '../model/more.ts';
import { again } from './again.ts';
import { spokenConnection } from './connection-line.tsx';
import { labelOfCopy } from './copy-button.tsx';
import { nameOfCopy } from './name-of-copy.ts';
import type { Screen } from './screen.ts';

/** What stands in the live regions, for screen readers to speak. */
export type Voices = {
  /** What stands in each of them. Whoever asks is run again when that changes without a change of the screen. */
  readonly say: (screen: Screen) => readonly string[];
  /** The focus has gone to this text, and so it is read: of what is new, the same is not said as well. */
  readonly leaveOut: (read: string) => void;
  readonly stop: () => void;
};

/**
 * How long a line stays. Screen readers take it up when it comes, and keep it until they have spoken it; later it would only be
 * met a second time, by those who read through the page.
 */
const stayMs = 10_000;

export function createVoices({ setTimer }: CheckoutModel['clock']): Voices {
  const changes = signal(0);
  const tellChange = (): void => {
    changes.value = changes.peek() + 1;
  };
  let lines: readonly string[] = [];
  let isNew = true;
  let isOver: readonly boolean[] = [];
  let read = '';
  let cancel = (): void => {};
  return {
    say(screen) {
      changes.value;
      const next = [stateLine(screen), ...linesBeside(screen)];
      const isSame = next.map((line, voice) => line === lines[voice]);
      isNew = !isSame[0];
      if (isNew) read = '';
      isOver = isSame.map((same, voice) => same && !!isOver[voice]);
      lines = next;
      if (isSame.includes(false)) {
        cancel();
        cancel = setTimer(() => {
          isOver = lines.map(() => true);
          tellChange();
        }, stayMs);
      }
      const [, ...beside] = lines;
      return [stateLine(screen, read), ...beside].map((line, voice) => (isOver[voice] ? '' : line));
    },
    leaveOut(text) {
      if (!isNew) return;
      read = text;
      tellChange();
    },
    stop: () => cancel(),
  };
}

/** What has happened, without what was read already. Of an account to pay into, the lead goes on with the title's sentence. */
function stateLine(screen: Screen, read = ''): string {
  const { state, speech } = screen;
  const isUnread = (part: string): boolean => !read.includes(part);
  const first = [fullTitleOf(state, speech), firstLeadOf(state, speech)].filter(isUnread);
  const rest = laterLeadsOf(state, speech, screen).filter(isUnread);
  return join(state.name === 'awaitingTransfer' ? [first.join(' '), ...rest] : [...first, ...rest]);
}

/** One line of several, each a sentence of its own, whether it ends like one or not. */
const join = (parts: readonly string[], separator = '. '): string =>
  parts
    .filter(Boolean)
    .join(separator)
    .replace(/([.!?…؟])\. /g, '$1 ');

/** What is spoken beside that: the connection, what was copied, the time left. Each changes seldom. */
function linesBeside(screen: Screen): readonly string[] {
  const { speech, remainingMs } = screen;
  const time = remainingMs && formatDuration(spokenStep(remainingMs), speech);
  return [
    join(spokenConnection(screen)),
    copiedLine(screen),
    time ? speech.text('spokenTimeLeft', { time }) : '',
  ];
}

/** What was copied last, or has to be copied by hand. */
export function copiedLine({ copied, speech: { text } }: Screen): string {
  if (!copied) return '';
  const { field, worked, times } = copied;
  return again(nameOfCopy(field, text(labelOfCopy(worked)), text), times);
}
