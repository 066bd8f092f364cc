import { useComputed, useSignalEffect } from '@preact/signals';
import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { formatCountdown, type PaymentView } from '../../model/index.ts';
import { useCheckout } from '../hooks/use-checkout.ts';

/**
 * How long there is to pay, as a number and as a bar. Empty until the service's clock is known. A timer is not announced. Each second
 * changes one text and one transform: nothing is rendered for it.
 */
export function TimeLeft({ payment }: { payment: PaymentView }): JSX.Element {
  const { translator, viewState } = useCheckout();
  const { remainingMs } = viewState;
  const bar = useRef<HTMLElement>(null);
  const countdown = useComputed(() => {
    const ms = remainingMs.value;
    return ms === undefined ? '' : formatCountdown(ms, translator.value.locale);
  });
  const totalMs = Date.parse(payment.expiresAt) - Date.parse(payment.openedAt);
  const total = useRef(totalMs);
  total.current = totalMs;
  useSignalEffect(() => {
    const { current: ms } = total;
    const partLeft = ms > 0 ? Math.min(1, (remainingMs.value ?? ms) / ms) : 1;
    if (bar.current) bar.current.style.transform = `scaleX(${partLeft})`;
  });
  return (
    <div class="time" part="time">
      <span id="time-left">{translator.value.text('timeLeft')}</span>
      <b role="timer" aria-labelledby="time-left" data-field="countdown">
        {countdown}
      </b>
      <i class="bar">
        <i ref={bar} />
      </i>
    </div>
  );
}
