import { useComputed, useSignalEffect } from '@preact/signals';
import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { formatCountdown, type PaymentView } from '../../model/index.ts';
import { useCheckout } from '../hooks/use-checkout.ts';

/**
 * The time left to pay, as a countdown and a bar; empty until the service's clock is known. Each second changes one text node and one
 * transform, without rendering.
 */
export function TimeLeft({ payment }: { payment: PaymentView }): JSX.Element {
  const { speech, timers } = useCheckout();
  const { remainingMs } = timers;
  const bar = useRef<HTMLElement>(null);
  const countdown = useComputed(() => {
    const ms = remainingMs.value;
    return ms === undefined ? '' : formatCountdown(ms, speech.value.locale);
  });
  const totalMs = Date.parse(payment.expiresAt) - Date.parse(payment.openedAt);
  const total = useRef(totalMs);
  total.current = totalMs;
  useSignalEffect(() => {
    const { current: ms } = total;
    const shareLeft = ms > 0 ? Math.min(1, (remainingMs.value ?? ms) / ms) : 1;
    if (bar.current) bar.current.style.transform = `scaleX(${shareLeft})`;
  });
  return (
    <div class="time" part="time">
      <span id="time-left">{speech.value.text('timeLeft')}</span>
      <b role="timer" aria-labelledby="time-left" data-field="countdown">
        {countdown}
      </b>
      <i class="bar">
        <i ref={bar} />
      </i>
    </div>
  );
}
