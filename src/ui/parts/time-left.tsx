import type { JSX } from 'preact';
import type { PaymentView } from '../../model/index.ts';
import { useCheckout } from '../hooks/use-checkout.ts';
import { useCountdown } from '../hooks/use-countdown.ts';

/** The time left to pay, as a countdown and a bar. */
export function TimeLeft({ payment }: { payment: PaymentView }): JSX.Element {
  const { text } = useCheckout().translator.value;
  const countdown = useCountdown(payment);
  return (
    <div class="time" part="time">
      <span id="time-left">{text('timeLeft')}</span>
      <b role="timer" aria-labelledby="time-left" data-field="countdown">
        {countdown.text}
      </b>
      <i class="bar">
        <i ref={countdown.bar} />
      </i>
    </div>
  );
}
