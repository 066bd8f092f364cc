import type { JSX } from 'preact';
import { formatCountdown } from '../model/more.ts';
import type { TransferScreenProps } from './screen.ts';

/** How long there is to pay, as a number and as a bar. Empty until the service's clock is known. A timer is not announced. */
export function TimeLeft({ speech, state, remainingMs }: TransferScreenProps): JSX.Element {
  const { openedAt, expiresAt } = state.payment;
  const totalMs = Date.parse(expiresAt) - Date.parse(openedAt);
  const partLeft = totalMs > 0 ? Math.min(1, (remainingMs ?? totalMs) / totalMs) : 1;
  return (
    <div class="time" part="time">
      <span id="time-left">{speech.text('timeLeft')}</span>
      <b role="timer" aria-labelledby="time-left" data-field="countdown">
        {remainingMs !== undefined && formatCountdown(remainingMs, speech.locale)}
      </b>
      <i class="bar">
        <i style={{ transform: `scaleX(${partLeft})` }} />
      </i>
    </div>
  );
}
