import type { JSX } from 'preact';
import { type CheckoutModel, formatCountdown } from '../model/index.ts';

/** The time left to pay. Empty, but as high, while the service's clock is not known. A timer is not announced. */
export function TimeLeft({ model: { text, timeLeft } }: { model: CheckoutModel }): JSX.Element {
  const time = timeLeft.value;
  return (
    <div class="time">
      <span>{text('timeLeft')}</span>
      <span role="timer" data-field="countdown">
        {time && formatCountdown(time.remainingMs)}
      </span>
      <i class="bar">
        <i style={{ transform: `scaleX(${time ? time.remainingMs / (time.totalMs || 1) : 1})` }} />
      </i>
    </div>
  );
}
