import type { JSX } from 'preact';
import { paymentOf } from '../model/index.ts';
import { leadsOf } from '../model/more.ts';
import { ConnectionLine } from './connection-line.tsx';
import { Details } from './details.tsx';
import { Links } from './links.tsx';
import { Receipt } from './receipt.tsx';
import { ReceiptActions } from './receipt-actions.tsx';
import { Returning } from './returning.tsx';
import type { Screen } from './screen.ts';
import { WayOn } from './way-on.tsx';

/** What has happened, in a few words, and the way on. What it is about stands where the account stood. */
export function Notice(screen: Screen): JSX.Element {
  const { speech, state } = screen;
  const payment = paymentOf(state);
  const isPaid = state.name === 'succeeded' || state.name === 'receivedLate';
  const isLookedFor = state.name === 'confirming' || (state.name === 'checking' && state.because === 'sent');
  return (
    <>
      {isPaid && payment && <Receipt {...screen} payment={payment} />}
      {isLookedFor && <Details {...screen} payment={state.payment} />}
      <div class={state.name === 'checking' ? `leads ${state.because}` : 'leads'}>
        {leadsOf(state, speech, screen).map((lead) => (
          // The merchant's own words may be of another direction than ours.
          <p key={lead} dir="auto">
            {lead}
          </p>
        ))}
      </div>
      <ConnectionLine {...screen} />
      <div class="actions">
        <WayOn {...screen} />
        <Returning {...screen} />
        <Links {...screen} isMain={isPaid}>
          {isPaid && payment && <ReceiptActions {...screen} payment={payment} />}
        </Links>
      </div>
    </>
  );
}
