import type { JSX } from 'preact';
import type { State } from '../../core/state.ts';
import { formatDuration } from '../../i18n/format-time.ts';
import type { Translator } from '../../i18n/translator.ts';
import { useCheckout } from '../context.tsx';
import { isBeingChecked, isPayable } from '../description/payment-facts.ts';
import { ReferenceLine } from './details.tsx';
import { Text } from './text.tsx';

/** The status of the connection, named after its message. `waiting` is shown but not announced. */
export type ConnectionStatus = 'offline' | 'retrying' | 'cannotCheck' | 'lost' | 'waiting' | 'looking';

/** Returns the status of the connection, or undefined when the screen needs none: the title of `loading` says that it is offline. */
export function connectionStatus(state: State, isTimeUp: boolean): ConnectionStatus | undefined {
  if (state.isOffline) return state.name === 'loading' ? undefined : 'offline';
  const connection = 'connection' in state ? state.connection : 'ok';
  if (connection === 'retrying') return 'retrying';
  if (connection === 'failing' || connection === 'refused') return 'cannotCheck';
  if (connection !== 'ok') return 'lost';
  if (isTimeUp || isBeingChecked(state)) return 'looking';
  return isPayable(state) ? 'waiting' : undefined;
}

export function canStillPay(state: State, isTimeUp: boolean): boolean {
  const status = connectionStatus(state, isTimeUp);
  return isPayable(state) && !isTimeUp && (status === 'retrying' || status === 'cannotCheck');
}

export function lastCheckedText(translator: Translator, sinceMs: number | undefined): string {
  if (sinceMs === undefined) return '';
  return translator.text('lastChecked', { time: formatDuration(Math.max(1000, sinceMs), translator) });
}

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
