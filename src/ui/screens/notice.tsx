import type { JSX } from 'preact';
import { descriptionOf, formatDuration, type State } from '../../model/index.ts';
import { useCheckout } from '../hooks/use-checkout.ts';
import { PastDetails, ReceiptDetails } from '../parts/details.tsx';
import { Links } from '../parts/help-links.tsx';
import { WayOn } from '../parts/next-steps.tsx';
import { ReceiptActions } from '../parts/receipt-actions.tsx';
import { ConnectionLine } from '../parts/status-line.tsx';

/** What has happened, in a few words, and the way on. What it is about stands where the account stood. */
export function Notice({ state }: { state: State }): JSX.Element {
  const { translator, viewState } = useCheckout();
  const paid = state.name === 'succeeded' || state.name === 'receivedLate' ? state.payment : undefined;
  const isLookedFor = state.name === 'confirming' || (state.name === 'checking' && state.reason === 'sent');
  const stateDetails = {
    isTakingLong: viewState.isTakingLong.value,
    isKept: viewState.isKept.value,
  };
  return (
    <>
      {paid && <ReceiptDetails payment={paid} />}
      {isLookedFor && <PastDetails payment={state.payment} />}
      <div class={state.name === 'checking' ? `leads ${state.reason}` : 'leads'}>
        {descriptionOf(state, translator.value, stateDetails).map((lead) => (
          // The merchant's own words may be of another direction than ours.
          <p key={lead} dir="auto">
            {lead}
          </p>
        ))}
      </div>
      <ConnectionLine />
      <div class="actions">
        <WayOn state={state} />
        <Returning />
        <Links isMain={!!paid}>{paid && <ReceiptActions payment={paid} />}</Links>
      </div>
    </>
  );
}

/** Says that the page goes back to the shop by itself, and lets the shopper stay. */
function Returning(): JSX.Element | null {
  const { translator, viewState } = useCheckout();
  const seconds = viewState.returnInSeconds.value;
  if (seconds === undefined) return null;
  const { text } = translator.value;
  return (
    <div class="returning">
      <p>{text('returning', { time: formatDuration(seconds * 1000, translator.value) })}</p>
      <button type="button" onClick={viewState.cancelReturn} data-action="stay">
        {text('stayHere')}
      </button>
    </div>
  );
}
