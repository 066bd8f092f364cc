import type { JSX } from 'preact';
import type { PaymentView } from '../../contract/index.ts';
import { formatDeadline } from '../../i18n/format-time.ts';
import { useCheckout } from '../hooks/use-checkout.ts';
import { useCountdown } from '../hooks/use-countdown.ts';

/** The time left to pay, as a countdown and a bar, and the time of day, unless the phone's clock would contradict it. */
export function TimeLeft({ payment }: { payment: PaymentView }): JSX.Element {
  const {
    translator,
    viewState: { timeLeft },
  } = useCheckout();
  const { text } = translator.value;
  const countdown = useCountdown(payment);
  return (
    <div class={timeLeft.isTimeShort.value ? 'time short' : 'time'} part="time">
      <span id="time-left">{text('timeLeft')}</span>
      <b role="timer" aria-labelledby="time-left">
        <span class={countdown.isLong ? 'tick long' : 'tick'} data-field="countdown">
          {countdown.text}
        </span>
      </b>
      {timeLeft.isClockRight.value && (
        <span data-field="payBy">{text('payBy', { time: formatDeadline(payment, translator.value) })}</span>
      )}
      <i class="bar">
        <i ref={countdown.bar} />
      </i>
    </div>
  );
}
