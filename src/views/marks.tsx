import type { JSX } from 'preact';
import { paymentOf } from '../model/index.ts';
import type { Screen } from './screen.ts';

/** Says that no real money moves. */
export function TestMode({ speech, state }: Screen): JSX.Element | null {
  if (paymentOf(state)?.liveMode !== false) return null;
  return (
    <span class="test" part="test-mode">
      {speech.text('testMode')}
    </span>
  );
}

/** By what the payment is found again, whatever happens: at the foot of every screen. */
export function Foot({ speech, state }: Screen): JSX.Element | null {
  const payment = paymentOf(state);
  if (!payment) return null;
  return (
    <p class="foot" part="reference">
      {speech.text('reference')}{' '}
      <bdi data-field="reference" dir="ltr">
        {payment.reference}
      </bdi>
    </p>
  );
}
