import type { JSX } from 'preact';
import { formatDuration } from '../model/more.ts';
import type { Screen } from './screen.ts';

type LineKey = 'offline' | 'retrying' | 'lost' | 'timeIsUp' | 'waiting';

function lineKey({ state, remainingMs }: Screen): LineKey | undefined {
  if (state.isOffline) return 'offline';
  const connection = 'connection' in state ? state.connection : 'ok';
  if (connection === 'retrying') return 'retrying';
  if (connection !== 'ok') return 'lost';
  if (state.name !== 'awaitingTransfer' && state.name !== 'partlyPaid') return undefined;
  return remainingMs === 0 ? 'timeIsUp' : 'waiting';
}

/** What there is to say of the connection, for a voice; nothing when it is as it should be. */
export function spokenConnection(screen: Screen): string | undefined {
  const key = lineKey(screen);
  return key && key !== 'waiting' ? screen.speech.text(key) : undefined;
}

/** Says what the page is doing at this moment: waiting, asking, or unable to ask. Nothing where all is said. */
export function ConnectionLine(screen: Screen): JSX.Element | null {
  const { text } = screen.speech;
  const key = lineKey(screen);
  if (!key) return null;
  return (
    <div
      part="status"
      class={`status ${key === 'timeIsUp' || key === 'waiting' ? 'ok' : key}`}
      data-connection={key}
    >
      <b>{text(key)}</b>
      {key === 'waiting' && screen.state.name !== 'partlyPaid' && <p>{text('waitingLead')}</p>}
      {key === 'timeIsUp' && <p>{text('expiredWarning')}</p>}
      {key === 'offline' && <p>{offlineLead(screen)}</p>}
      {key === 'lost' && <p>{text('lostLead')}</p>}
      {key === 'lost' && (
        <button type="button" onClick={screen.model.refresh} data-action="checkAgain">
          {text('checkAgain')}
        </button>
      )}
    </div>
  );
}

/** How old is what is on the screen, and that it stays. */
function offlineLead({ speech, state, sinceLookMs }: Screen): string {
  const { text } = speech;
  return [
    sinceLookMs !== undefined && text('lastChecked', { time: formatDuration(sinceLookMs, speech) }),
    'payment' in state && text('offlineLead'),
  ]
    .filter(Boolean)
    .join(' ');
}
