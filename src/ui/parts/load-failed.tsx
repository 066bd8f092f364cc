import type { JSX } from 'preact';
import { useCheckout } from '../hooks/use-checkout.ts';

/** Says that a lazy part could not be loaded, and offers to try again. */
export function LoadFailed({ retry }: { retry: () => void }): JSX.Element {
  const { text } = useCheckout().translator.value;
  return (
    <>
      <p role="alert">{text('loadFailed')}</p>
      <button type="button" onClick={retry}>
        {text('tryAgain')}
      </button>
    </>
  );
}
