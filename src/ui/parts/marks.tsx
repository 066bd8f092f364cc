import type { JSX } from 'preact';
import { isPayable, paymentOf, referenceOf } from '../../model/index.ts';
import { useCheckout } from '../hooks/use-checkout.ts';
import { CopyButton } from './copy-button.tsx';

/** Says that no real money moves. */
export function TestMode(): JSX.Element {
  const { text } = useCheckout().translator.value;
  return (
    <span class="test" part="test-mode">
      {text('testMode')}
    </span>
  );
}

/**
 * By what the payment is found again, whatever happens: at the foot of every screen. To be copied where no account is to be
 * paid into: there nothing may be taken for its number.
 */
export function Foot(): JSX.Element | null {
  const { translator, state } = useCheckout();
  const payment = paymentOf(state.value);
  if (!payment) return null;
  const reference = referenceOf(payment);
  return (
    <p class="foot" part="reference">
      <span>{translator.value.text('reference')}</span>{' '}
      <bdi data-field="reference" dir="ltr">
        {reference}
      </bdi>
      {!isPayable(state.value) && <CopyButton field="reference" value={reference} />}
    </p>
  );
}

/** What closes a checkout that is above the page. */
export function CloseButton({ onClose }: { onClose: () => void }): JSX.Element {
  const { text } = useCheckout().translator.value;
  return (
    <button
      type="button"
      class="close"
      part="close"
      data-action="close"
      aria-label={text('close') || 'Close'}
      onClick={onClose}
    >
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d="M5 5l14 14M19 5 5 19" />
      </svg>
    </button>
  );
}
