import type { JSX } from 'preact';
import {
  descriptionOf,
  formatDuration,
  isClaimed,
  isPaid,
  type State,
  stateDetailsOf,
} from '../../model/index.ts';
import { useCheckout } from '../hooks/use-checkout.ts';
import { ConnectionLine } from '../parts/connection-line.tsx';
import { ClosedDetails, PaymentDetails, ReceiptDetails } from '../parts/details.tsx';
import { Links } from '../parts/links.tsx';
import { NextSteps } from '../parts/next-steps.tsx';
import { ReceiptActions } from '../parts/receipt-actions.tsx';

/** The status of a payment that is not to be paid now: its details, an explanation, and the next steps. */
export function StatusScreen({ state }: { state: State }): JSX.Element {
  const { translator, viewState } = useCheckout();
  const paid = isPaid(state) ? state.payment : undefined;
  const isPending = state.name === 'confirming' || isClaimed(state);
  const isClosed = state.name === 'expired' || state.name === 'failed' || state.name === 'reversed';
  return (
    <>
      {paid && <ReceiptDetails payment={paid} />}
      {isPending && <PaymentDetails payment={state.payment} isPast />}
      {isClosed && <ClosedDetails state={state} />}
      <div class={state.name === 'checking' ? `leads ${state.reason}` : 'leads'}>
        {descriptionOf(state, translator.value, stateDetailsOf(viewState)).map((lead) => (
          // A merchant's custom text may run in another direction.
          <p key={lead} dir="auto">
            {lead}
          </p>
        ))}
      </div>
      <ConnectionLine />
      <div class="actions">
        <NextSteps state={state} />
        <ReturnNotice />
        <Links isMain={!!paid}>{paid && <ReceiptActions payment={paid} />}</Links>
      </div>
    </>
  );
}

/** Announces the automatic return to the shop, and lets the shopper stay. */
function ReturnNotice(): JSX.Element | null {
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
