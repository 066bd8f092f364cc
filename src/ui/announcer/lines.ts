import { firstLeadOf, formatDuration, laterLeadsOf, spokenStep, titleOf } from '../../model/index.ts';
import type { CheckoutContext } from '../hooks/use-checkout.ts';
import { copyButtonName, copyLabel } from '../hooks/use-copy.ts';
import { connectionStatus, lastCheckedText } from './connection-status.ts';

/** The title and leads of the state, without those in `read`. While a transfer is awaited, title and lead form one sentence. */
export function stateLine({ state, speech, timers }: CheckoutContext, read = ''): string {
  const [now, words] = [state.value, speech.value];
  const story = { isLong: timers.isLong.value, isKept: timers.isKept.value };
  const isUnread = (part: string): boolean => !read.includes(part);
  const first = [titleOf(now, words), firstLeadOf(now, words)].filter(isUnread);
  const rest = laterLeadsOf(now, words, story).filter(isUnread);
  return joinSentences(now.name === 'awaitingTransfer' ? [first.join(' '), ...rest] : [...first, ...rest]);
}

/** The status of the connection. Checks that brought nothing new are announced only when the shopper requested them. */
export function connectionLine({ state, speech, timers, isTimeUp }: CheckoutContext): string {
  const { text } = speech.value;
  const status = connectionStatus(state.value, isTimeUp.value);
  if (status === 'looking') {
    const requested = timers.answer.value;
    return requested ? repeatable(lastCheckedText(speech.value, 0), requested) : '';
  }
  return joinSentences([
    status && status !== 'waiting' ? text(status) : '',
    isTimeUp.value ? text('expiredWarning') : '',
  ]);
}

/** The value that was copied last, or has to be copied by hand. */
export function copyLine({ lastCopy, speech }: CheckoutContext): string {
  if (!lastCopy.value) return '';
  const { field, isCopied, count } = lastCopy.value;
  const { text } = speech.value;
  return repeatable(copyButtonName(field, text(copyLabel(isCopied)), text), count);
}

/** The time left, at the steps that are announced. */
export function timeLine({ speech, timers }: CheckoutContext): string {
  const remainingMs = timers.remainingMs.value;
  if (!remainingMs) return '';
  const time = formatDuration(spokenStep(remainingMs), speech.value);
  return speech.value.text('spokenTimeLeft', { time });
}

/** Joins sentences into one line, with a full stop after those that have none. */
const joinSentences = (parts: readonly string[]): string =>
  parts
    .filter(Boolean)
    .join('. ')
    .replace(/([.!?…؟])\. /g, '$1 ');

/** Screen readers do not repeat an unchanged line: every other time it ends in a space that is not spoken. */
const repeatable = (line: string, count: number): string => `${line}${count % 2 ? '' : '\u00a0'}`;
