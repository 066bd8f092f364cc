import type { JSX } from 'preact';
import { connectionKey, lastChecked } from '../announcer/connection.ts';
import { useCheckout } from '../hooks/use-checkout.ts';

/** Says what the page is doing at this moment. Nothing where all is said. */
export function ConnectionLine(): JSX.Element | null {
  const { translator, state, isTimeUp, viewState } = useCheckout();
  const { text } = translator.value;
  const key = connectionKey(state.value, isTimeUp.value);
  if (!key) return null;
  return (
    <div
      part="status"
      class={`status ${['timeIsUp', 'waiting', 'looking'].includes(key) ? 'ok' : key}`}
      data-connection={key}
    >
      <b>{(key === 'looking' && lastChecked(translator.value, viewState.sinceCheckMs.value)) || text(key)}</b>
      {key === 'waiting' && state.value.name !== 'partlyPaid' && <p>{text('waitingLead')}</p>}
      {key === 'offline' && <OfflineLead />}
      {isTimeUp.value && <p>{text('expiredWarning')}</p>}
      {key === 'lost' && <p>{text('lostLead')}</p>}
      {(key === 'lost' || key === 'looking') && (
        <button type="button" onClick={viewState.checkAgain} data-action="checkAgain">
          {text('checkAgain')}
        </button>
      )}
    </div>
  );
}

/** How old is what is on the screen, and that it stays. */
function OfflineLead(): JSX.Element {
  const { translator, state, isTimeUp, viewState } = useCheckout();
  const stays = 'payment' in state.value && !isTimeUp.value;
  const parts = [
    lastChecked(translator.value, viewState.sinceCheckMs.value),
    stays && translator.value.text('offlineLead'),
  ];
  return <p>{parts.filter(Boolean).join(' ')}</p>;
}
