import type { JSX } from 'preact';
import { useCheckout } from '../context.tsx';
import { isBeingChecked, isPayable } from '../description/payment-facts.ts';
import { canStillPay, connectionStatus, lastCheckedText } from '../description/status.ts';
import { ReferenceLine } from './details.tsx';
import { Text } from './text.tsx';

export function ConnectionLine(): JSX.Element | null {
  const { translator, state, viewState } = useCheckout();
  const { timeLeft, lastCheck } = viewState;
  const { text } = translator.value;
  const isTimeUp = timeLeft.isTimeUp.value;
  const status = connectionStatus(state.value, isTimeUp);
  if (!status) return null;
  const checkedText = lastCheckedText(translator.value, lastCheck.sinceCheckMs.value);
  return (
    <div
      part="status"
      class={`status ${['waiting', 'looking'].includes(status) ? 'ok' : status}`}
      data-connection={status}
    >
      <Text as="b">{(status === 'looking' && checkedText) || text(status)}</Text>
      {status === 'waiting' && (
        <Text as="p">
          {/* No other account follows one that has part of the money. */}
          {timeLeft.isTimeShort.value && state.value.name !== 'partlyPaid'
            ? text('lastMinutesLead')
            : [text('waitingLead'), text('closeLead')].filter(Boolean).join(' ')}
        </Text>
      )}
      {status === 'offline' && (
        <Text as="p">
          {[checkedText, 'payment' in state.value && !isTimeUp && text('offlineLead')]
            .filter(Boolean)
            .join(' ')}
        </Text>
      )}
      {canStillPay(state.value, isTimeUp) && <Text as="p">{text('stillPayable')}</Text>}
      {status === 'lost' && (
        <>
          <Text as="p">{text('lostLead')}</Text>
          {isPayable(state.value) && <ReferenceLine canCopy />}
        </>
      )}
      {(status === 'lost' || (status === 'looking' && isBeingChecked(state.value))) && (
        <button type="button" part="button" onClick={lastCheck.checkAgain} data-action="checkAgain">
          <Text>{text('checkAgain')}</Text>
        </button>
      )}
    </div>
  );
}
