import { formatDuration, isLookedFor, isToPay, type Speech, type State } from '../../model/index.ts';
import type { CheckoutContext } from './use-checkout.ts';

/** What the line says, by the key of its text. `waiting` is shown, and never spoken: all goes on as it should. */
export type ConnectionKey = 'offline' | 'retrying' | 'lost' | 'timeIsUp' | 'waiting' | 'looking';

/** What the page is doing at this moment: waiting, asking, or unable to ask; undefined where all is said. */
export function connectionKey(state: State, isTimeUp: boolean): ConnectionKey | undefined {
  if (state.isOffline) return 'offline';
  const connection = 'connection' in state ? state.connection : 'ok';
  if (connection === 'retrying') return 'retrying';
  if (connection !== 'ok') return 'lost';
  if (isLookedFor(state)) return 'looking';
  if (!isToPay(state)) return undefined;
  return isTimeUp ? 'timeIsUp' : 'waiting';
}

/** How long ago the server has answered: a second at least, because a look takes its time. */
export function lastChecked(speech: Speech, sinceLookMs: number | undefined): string {
  if (sinceLookMs === undefined) return '';
  return speech.text('lastChecked', { time: formatDuration(Math.max(1000, sinceLookMs), speech) });
}

/**
 * What a screen reader is told of the connection and of the time; nothing when all is as it should be. Of a look that brought
 * nothing new only what the shopper has asked for is said.
 */
export function spokenConnection({ state, speech, timers, isTimeUp }: CheckoutContext): readonly string[] {
  const { text } = speech.value;
  const key = connectionKey(state.value, isTimeUp.value);
  if (key === 'looking') {
    const answer = timers.answer.value;
    return answer ? [again(lastChecked(speech.value, 0), answer)] : [];
  }
  return [key && key !== 'waiting' ? text(key) : '', isTimeUp.value ? text('expiredWarning') : ''];
}

/** What is spoken the `times`-th time: screen readers say nothing that they have just said, unless a space differs that nobody hears. */
export const again = (line: string, times: number): string => `${line}${times % 2 ? '' : '\u00a0'}`;
