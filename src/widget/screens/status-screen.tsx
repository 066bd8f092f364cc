import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { isClaimed, isPaid, type State } from '../../core/state.ts';
import { formatDuration } from '../../i18n/format-time.ts';
import { useCheckout } from '../context.tsx';
import { descriptionOf } from '../description/explanation.ts';
import { ConnectionLine } from '../parts/connection-line.tsx';
import { ClosedDetails, PaymentDetails, ReceiptDetails, ReferenceLine } from '../parts/details.tsx';
import { BackLink, Links } from '../parts/links.tsx';
import { NextSteps } from '../parts/next-steps.tsx';
import { ReceiptActions } from '../parts/receipt-actions.tsx';
import { Text } from '../parts/text.tsx';

export function StatusScreen({ state }: { state: State }): JSX.Element {
  const { translator, viewState } = useCheckout();
  const receipt = useRef<HTMLDListElement>(null);
  const paid = isPaid(state) ? state.payment : undefined;
  const leads = descriptionOf(state, translator.value, viewState.details.value);
  // Whoever is to contact the shop reads why and with which reference before the details.
  const isReceiptFirst = state.name === 'succeeded' && leads.length < 2;
  const isPending = state.name === 'confirming' || isClaimed(state);
  const isClosed = state.name === 'expired' || state.name === 'failed' || state.name === 'reversed';
  return (
    <>
      <div class={state.name === 'checking' ? `leads ${state.reason}` : 'leads'}>
        {leads.map((lead) => (
          // A merchant's custom text may run in another direction.
          <p key={lead} dir="auto">
            {lead}
          </p>
        ))}
      </div>
      {paid && isReceiptFirst ? (
        <ReceiptDetails payment={paid} list={receipt} hasReference />
      ) : (
        <ReferenceLine />
      )}
      <ConnectionLine />
      <div class="actions">
        <NextSteps state={state} />
        <ReturnNotice />
        {paid ? (
          <BackLink isMain />
        ) : (
          <Links>
            <BackLink />
          </Links>
        )}
      </div>
      {paid && (
        <>
          {!isReceiptFirst && <ReceiptDetails payment={paid} list={receipt} hasReference={false} />}
          <Links>
            <ReceiptActions payment={paid} receipt={receipt} />
          </Links>
        </>
      )}
      {isPending && <PaymentDetails payment={state.payment} isPast />}
      {isClosed && <ClosedDetails state={state} />}
    </>
  );
}

/** Announces the automatic return to the shop, and lets the shopper stay. */
function ReturnNotice(): JSX.Element | null {
  const { translator, viewState } = useCheckout();
  const seconds = viewState.returnRedirect.returnInSeconds.value;
  if (seconds === undefined) return null;
  const { text } = translator.value;
  return (
    <div class="returning">
      <Text as="p">{text('returning', { time: formatDuration(seconds * 1000, translator.value) })}</Text>
      <button type="button" part="button" onClick={viewState.returnRedirect.cancelReturn} data-action="stay">
        <Text>{text('stayHere')}</Text>
      </button>
    </div>
  );
}
