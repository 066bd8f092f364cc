import type { JSX } from 'preact';
import { firstLeadOf, isToPay, paymentOf, type State, titleOf } from '../model/index.ts';
import { Announcer } from './announcer/announcer.tsx';
import { useCheckout } from './hooks/use-checkout.ts';
import { Card } from './parts/card.tsx';
import { AccountToPay, PastDetails } from './parts/details.tsx';
import { Icon } from './parts/icon.tsx';
import { LeaveQuestion } from './parts/leave-dialog.tsx';
import { CloseButton, Foot, TestMode } from './parts/marks.tsx';
import { Notice } from './screens/status-screen.tsx';
import { TransferScreen } from './screens/transfer-screen.tsx';

/** The whole checkout: the shop's name, exactly one screen, and live regions for screen readers that outlive it. */
export function Checkout(): JSX.Element {
  const { state, timers, onClose } = useCheckout();
  const now = state.value;
  const corner = (
    <>
      {paymentOf(now)?.liveMode === false && <TestMode />}
      {onClose && <CloseButton onClose={onClose} />}
    </>
  );
  const above = (
    <>
      <LeaveQuestion />
      <Announcer />
    </>
  );
  return (
    <Card state={now.name} corner={corner} isInert={!!timers.leaving.value} above={above}>
      <Title state={now} />
      {now.name === 'loading' && <div class="ghost" />}
      {!isStarting(now) && <Screen state={now} />}
    </Card>
  );
}

/** Nothing is known yet, and nothing has gone wrong: there is nothing to say but the title. */
const isStarting = (state: State): boolean =>
  state.name === 'loading' && state.failures === 0 && !state.isOffline && !state.previous;

function Title({ state }: { state: State }): JSX.Element {
  const speech = useCheckout().speech.value;
  const lead = state.name === 'awaitingTransfer' && firstLeadOf(state, speech);
  return (
    <div class="top">
      <Icon state={state} />
      <div>
        <h2 part="title" tabIndex={-1}>
          {titleOf(state, speech)}
        </h2>
        {lead && <p>{lead}</p>}
      </div>
    </div>
  );
}

/** All that stands below the title. */
function Screen({ state }: { state: State }): JSX.Element {
  const { isTimeUp, noScript } = useCheckout();
  return (
    <>
      {isToPay(state) ? (
        <>
          {isTimeUp.value ? <PastDetails payment={state.payment} /> : <AccountToPay state={state} />}
          <TransferScreen state={state} />
        </>
      ) : (
        <Notice state={state} />
      )}
      <Foot />
      {noScript && (
        <noscript>
          <p>{noScript}</p>
        </noscript>
      )}
    </>
  );
}
