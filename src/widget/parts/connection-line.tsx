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
  const status = connectionStatus(state.value, timeLeft.isTimeUp.value);
  if (!status) return null;
  return (
    <div
      part="status"
      class={`status ${['waiting', 'looking'].includes(status) ? 'ok' : status}`}
      data-connection={status}
    >
      <Text as="b">
        {(status === 'looking' && lastCheckedText(translator.value, lastCheck.sinceCheckMs.value)) ||
          text(status)}
      </Text>
      {status === 'waiting' && (
        <Text as="p">
          {/* No other account follows one that has part of the money. */}
          {timeLeft.isTimeShort.value && state.value.name !== 'partlyPaid'
            ? text('lastMinutesLead')
            : [text('waitingLead'), text('closeLead')].filter(Boolean).join(' ')}
        </Text>
      )}
      {status === 'offline' && <OfflineLead />}
      {canStillPay(state.value, timeLeft.isTimeUp.value) && <Text as="p">{text('stillPayable')}</Text>}
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

function OfflineLead(): JSX.Element {
  const { translator, state, viewState } = useCheckout();
  const { timeLeft, lastCheck } = viewState;
  const stays = 'payment' in state.value && !timeLeft.isTimeUp.value;
  const parts = [
    lastCheckedText(translator.value, lastCheck.sinceCheckMs.value),
    stays && translator.value.text('offlineLead'),
  ];
  return <Text as="p">{parts.filter(Boolean).join(' ')}</Text>;
}
