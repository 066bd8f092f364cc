import type { JSX } from 'preact';
import { formatDuration, isLookedFor } from '../model/more.ts';
import type { Screen } from './screen.ts';

/** Of what goes on as it should nothing is spoken. */
type LineKey = 'offline' | 'retrying' | 'lost' | 'timeIsUp' | 'waiting' | 'looking';

function lineKey({ state, remainingMs }: Screen): LineKey | undefined {
  if (state.isOffline) return 'offline';
  const connection = 'connection' in state ? state.connection : 'ok';
  if (connection === 'retrying') return 'retrying';
  if (connection !== 'ok') return 'lost';
  if (isLookedFor(state)) return 'looking';
  if (state.name !== 'awaitingTransfer' && state.name !== 'partlyPaid') return undefined;
  return remainingMs === 0 ? 'timeIsUp' : 'waiting';
}

/** What there is to say of the connection, for a voice; nothing when it is as it should be. */
export function spokenConnection(screen: Screen): string | undefined {
  const key = lineKey(screen);
  return key && key !== 'waiting' && key !== 'looking' ? screen.speech.text(key) : undefined;
}

/** Says what the page is doing at this moment: waiting, asking, or unable to ask. Nothing where all is said. */
export function ConnectionLine(screen: Screen): JSX.Element | null {
  const { text } = screen.speech;
  const key = lineKey(screen);
  if (!key) return null;
  return (
    <div
      part="status"
      class={`status ${['timeIsUp', 'waiting', 'looking'].includes(key) ? 'ok' : key}`}
      data-connection={key}
    >
      <b>{(key === 'looking' && lastChecked(screen)) || text(key)}</b>
      {key === 'waiting' && screen.state.name !== 'partlyPaid' && <p>{text('waitingLead')}</p>}
      {key === 'timeIsUp' && <p>{text('expiredWarning')}</p>}
      {key === 'offline' && <p>{offlineLead(screen)}</p>}
      {key === 'lost' && <p>{text('lostLead')}</p>}
      {(key === 'lost' || key === 'looking') && (
        <button type="button" onClick={screen.model.refresh} data-action="checkAgain">
          {text('checkAgain')}
        </button>
      )}
    </div>
  );
}

/** How old is what is on the screen, and that it stays. */
function offlineLead(screen: Screen): string {
  const { speech, state } = screen;
  return [lastChecked(screen), 'payment' in state && speech.text('offlineLead')].filter(Boolean).join(' ');
}

/** How long ago the server has answered: a second at least, because a look takes its time. */
function lastChecked({ speech, sinceLookMs }: Screen): string {
  if (sinceLookMs === undefined) return '';
  return speech.text('lastChecked', { time: formatDuration(Math.max(1000, sinceLookMs), speech) });
}
