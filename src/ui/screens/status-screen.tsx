import type { JSX } from 'preact';
import { formatDuration, leadsOf, type State } from '../../model/index.ts';
import { useCheckout } from '../hooks/use-checkout.ts';
import { ConnectionLine } from '../parts/connection-line.tsx';
import { PastDetails, ReceiptDetails } from '../parts/details.tsx';
import { Links } from '../parts/links.tsx';
import { WayOn } from '../parts/next-steps.tsx';
import { ReceiptActions } from '../parts/receipt-actions.tsx';

/** What has happened, in a few words, and the way on. What it is about stands where the account stood. */
export function Notice({ state }: { state: State }): JSX.Element {
  const { speech, timers } = useCheckout();
  const paid = state.name === 'succeeded' || state.name === 'receivedLate' ? state.payment : undefined;
  const isLookedFor = state.name === 'confirming' || (state.name === 'checking' && state.because === 'sent');
  const story = { isLong: timers.isLong.value, isKept: timers.isKept.value };
  return (
    <>
      {paid && <ReceiptDetails payment={paid} />}
      {isLookedFor && <PastDetails payment={state.payment} />}
      <div class={state.name === 'checking' ? `leads ${state.because}` : 'leads'}>
        {leadsOf(state, speech.value, story).map((lead) => (
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
