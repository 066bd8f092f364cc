import type { JSX } from 'preact';
import { useCheckout } from '../hooks/use-checkout.ts';
import { Card } from './card.tsx';

/** A card whose content could not be loaded: it says so, and offers to try again. */
export function LoadFailed({ retry }: { retry: () => void }): JSX.Element {
  return (
    <Card>
      <LoadFailedNote retry={retry} />
    </Card>
  );
}

/** Says that a part could not be loaded, and offers to try again. */
export function LoadFailedNote({ retry }: { retry: () => void }): JSX.Element {
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
