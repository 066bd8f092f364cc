import type { JSX } from 'preact';
import { formatDuration, leadsOf, type State } from '../../model/index.ts';
import { useCheckout } from '../hooks/use-checkout.ts';
import { ConnectionLine } from '../parts/connection-line.tsx';
import { PastDetails, ReceiptDetails } from '../parts/details.tsx';
import { Links } from '../parts/links.tsx';
import { NextSteps } from '../parts/next-steps.tsx';
import { ReceiptActions } from '../parts/receipt-actions.tsx';

/** The status of a payment that is not to be paid now: its details, an explanation, and the next steps. */
export function StatusScreen({ state }: { state: State }): JSX.Element {
  const { speech, timers } = useCheckout();
  const paid = state.name === 'succeeded' || state.name === 'receivedLate' ? state.payment : undefined;
  const isPending = state.name === 'confirming' || (state.name === 'checking' && state.because === 'sent');
  const story = { isLong: timers.isLong.value, isKept: timers.isKept.value };
  return (
    <>
      {paid && <ReceiptDetails payment={paid} />}
      {isPending && <PastDetails payment={state.payment} />}
      <div class={state.name === 'checking' ? `leads ${state.because}` : 'leads'}>
        {leadsOf(state, speech.value, story).map((lead) => (
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
  const { speech, timers } = useCheckout();
  const seconds = timers.returnInSeconds.value;
  if (seconds === undefined) return null;
  const { text } = speech.value;
  return (
    <div class="returning">
      <p>{text('returning', { time: formatDuration(seconds * 1000, speech.value) })}</p>
      <button type="button" onClick={timers.stopReturning} data-action="stay">
        {text('stayHere')}
      </button>
    </div>
  );
}
