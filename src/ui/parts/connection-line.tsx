import type { JSX } from 'preact';
import { connectionKey, lastChecked } from '../hooks/connection-status.ts';
import { useCheckout } from '../hooks/use-checkout.ts';

/** Says what the page is doing at this moment. Nothing where all is said. */
export function ConnectionLine(): JSX.Element | null {
  const { speech, state, isTimeUp, timers } = useCheckout();
  const { text } = speech.value;
  const key = connectionKey(state.value, isTimeUp.value);
  if (!key) return null;
  return (
    <div
      part="status"
      class={`status ${['timeIsUp', 'waiting', 'looking'].includes(key) ? 'ok' : key}`}
      data-connection={key}
    >
      <b>{(key === 'looking' && lastChecked(speech.value, timers.sinceLookMs.value)) || text(key)}</b>
      {key === 'waiting' && state.value.name !== 'partlyPaid' && <p>{text('waitingLead')}</p>}
      {key === 'offline' && <OfflineLead />}
      {isTimeUp.value && <p>{text('expiredWarning')}</p>}
      {key === 'lost' && <p>{text('lostLead')}</p>}
      {(key === 'lost' || key === 'looking') && (
        <button type="button" onClick={timers.checkAgain} data-action="checkAgain">
          {text('checkAgain')}
        </button>
      )}
    </div>
  );
}

/** How old is what is on the screen, and that it stays. */
function OfflineLead(): JSX.Element {
  const { speech, state, isTimeUp, timers } = useCheckout();
  const stays = 'payment' in state.value && !isTimeUp.value;
  const parts = [
    lastChecked(speech.value, timers.sinceLookMs.value),
    stays && speech.value.text('offlineLead'),
  ];
  return <p>{parts.filter(Boolean).join(' ')}</p>;
}
