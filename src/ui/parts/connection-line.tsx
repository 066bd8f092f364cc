import type { JSX } from 'preact';
import { canStillPay, connectionStatus, lastCheckedText } from '../../model/index.ts';
import { useCheckout } from '../hooks/use-checkout.ts';

/** The status of the connection. Empty when the screen needs none. */
export function ConnectionLine(): JSX.Element | null {
  const { translator, state, isTimeUp, viewState } = useCheckout();
  const { text } = translator.value;
  const status = connectionStatus(state.value, isTimeUp.value);
  if (!status) return null;
  return (
    <div
      part="status"
      class={`status ${['timeIsUp', 'waiting', 'looking'].includes(status) ? 'ok' : status}`}
      data-connection={status}
    >
      <b>
        {(status === 'looking' && lastCheckedText(translator.value, viewState.sinceCheckMs.value)) ||
          text(status)}
      </b>
      {status === 'waiting' && state.value.name !== 'partlyPaid' && (
        <p>{text(viewState.isTimeShort.value ? 'lastMinutesLead' : 'waitingLead')}</p>
      )}
      {status === 'offline' && <OfflineLead />}
      {canStillPay(state.value, isTimeUp.value) && <p>{text('stillPayable')}</p>}
      {status === 'lost' && <p>{text('lostLead')}</p>}
      {(status === 'lost' || status === 'looking') && (
        <button type="button" onClick={viewState.checkAgain} data-action="checkAgain">
          {text('checkAgain')}
        </button>
      )}
    </div>
  );
}

/** When the screen was last updated, and that it stays as it is. */
function OfflineLead(): JSX.Element {
  const { translator, state, isTimeUp, viewState } = useCheckout();
  const stays = 'payment' in state.value && !isTimeUp.value;
  const parts = [
    lastCheckedText(translator.value, viewState.sinceCheckMs.value),
    stays && translator.value.text('offlineLead'),
  ];
  return <p>{parts.filter(Boolean).join(' ')}</p>;
}
