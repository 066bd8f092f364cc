import type { JSX } from 'preact';
import { paymentOf, referenceOf } from '../model/index.ts';
import { isToPay } from '../model/more.ts';
import { CopyButton } from './copy-button.tsx';
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

/**
 * By what the payment is found again, whatever happens: at the foot of every screen. To be copied where no account is to be
 * paid into: there nothing may be taken for its number.
 */
export function Foot(screen: Screen): JSX.Element | null {
  const { speech, state } = screen;
  const payment = paymentOf(state);
  if (!payment) return null;
  const reference = referenceOf(payment);
  return (
    <p class="foot" part="reference">
      <span>{speech.text('reference')}</span>{' '}
      <bdi data-field="reference" dir="ltr">
        {reference}
      </bdi>
      {!isToPay(state) && <CopyButton {...screen} field="reference" value={reference} />}
    </p>
  );
}
