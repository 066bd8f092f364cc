import type { JSX } from 'preact';
import { formatDuration } from '../model/more.ts';
import type { Screen } from './screen.ts';

type LineKey = 'offline' | 'retrying' | 'lost' | 'timeIsUp' | 'waiting';

function lineKey({ state, more }: Screen): LineKey | undefined {
  if (state.isOffline) return 'offline';
  const connection = 'connection' in state ? state.connection : 'ok';
  if (connection === 'retrying') return 'retrying';
  if (connection !== 'ok') return 'lost';
  if (state.name !== 'awaitingTransfer' && state.name !== 'partlyPaid') return undefined;
  return more?.later.remainingMs.value === 0 ? 'timeIsUp' : 'waiting';
}

/** What there is to say of the connection, for a voice; nothing when it is as it should be. */
export function spokenConnection(screen: Screen): string | undefined {
  const key = lineKey(screen);
  return key && key !== 'waiting' ? screen.model.text(key) : undefined;
}

/** Says what the page is doing at this moment: waiting, asking, or unable to ask. Nothing where all is said. */
export function ConnectionLine(screen: Screen): JSX.Element | null {
  const { text, refresh } = screen.model;
  const key = lineKey(screen);
  if (!key) return null;
  return (
    <div
      part="status"
      class={`status ${key === 'timeIsUp' || key === 'waiting' ? 'ok' : key}`}
      data-connection={key}
    >
      <b>{text(key)}</b>
      {key === 'waiting' && <p>{text('waitingLead')}</p>}
      {key === 'timeIsUp' && <p>{text('expiredWarning')}</p>}
      {key === 'offline' && <p>{offlineLead(screen)}</p>}
      {key === 'lost' && <p>{text('lostLead')}</p>}
      {key === 'lost' && (
        <button type="button" onClick={refresh} data-action="checkAgain">
          {text('checkAgain')}
        </button>
      )}
    </div>
  );
}

/** How old is what is on the screen, and that it stays. */
function offlineLead({ model, state, more }: Screen): string {
  const { text } = model;
  const sinceMs = more?.later.sinceLookMs.value;
  return [
    sinceMs !== undefined && text('lastChecked', { time: formatDuration(sinceMs, model) }),
    'payment' in state && text('offlineLead'),
  ]
    .filter(Boolean)
    .join(' ');
}
