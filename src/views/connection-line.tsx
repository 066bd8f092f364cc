import type { JSX } from 'preact';
import { formatDuration, isLookedFor, isToPay } from '../model/more.ts';
import { again } from './again.ts';
import type { Screen } from './screen.ts';

/** What the line says, by the key of its text. `waiting` is shown, and never spoken: all goes on as it should. */
type LineKey = 'offline' | 'retrying' | 'lost' | 'timeIsUp' | 'waiting' | 'looking';

function lineKey(screen: Screen): LineKey | undefined {
  const { state } = screen;
  if (state.isOffline) return 'offline';
  const connection = 'connection' in state ? state.connection : 'ok';
  if (connection === 'retrying') return 'retrying';
  if (connection !== 'ok') return 'lost';
  if (isLookedFor(state)) return 'looking';
  if (!isToPay(state)) return undefined;
  return isTimeUp(screen) ? 'timeIsUp' : 'waiting';
}

/** Nothing may be sent any more, and what the server makes of it is not known yet. */
const isTimeUp = ({ state, remainingMs }: Screen) => isToPay(state) && remainingMs === 0;

/**
 * What there is to say of the connection and of the time, for a voice; nothing when all is as it should be. Of a look that brought
 * nothing new only what the shopper has asked for is said.
 */
export function spokenConnection(screen: Screen): readonly string[] {
  const { text } = screen.speech;
  const key = lineKey(screen);
  if (key === 'looking') return screen.answer ? [again(lastChecked(screen, 0), screen.answer)] : [];
  return [key && key !== 'waiting' ? text(key) : '', isTimeUp(screen) ? text('expiredWarning') : ''];
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
      {key === 'offline' && <p>{offlineLead(screen)}</p>}
      {isTimeUp(screen) && <p>{text('expiredWarning')}</p>}
      {key === 'lost' && <p>{text('lostLead')}</p>}
      {(key === 'lost' || key === 'looking') && (
        <button type="button" onClick={screen.more?.later.checkAgain} data-action="checkAgain">
          {text('checkAgain')}
        </button>
      )}
    </div>
  );
}

/** How old is what is on the screen, and that it stays. */
function offlineLead(screen: Screen): string {
  const { speech, state } = screen;
  const stays = 'payment' in state && !isTimeUp(screen);
  return [lastChecked(screen), stays && speech.text('offlineLead')].filter(Boolean).join(' ');
}

/** How long ago the server has answered: a second at least, because a look takes its time. */
function lastChecked({ speech, ...screen }: Screen, sinceLookMs = screen.sinceLookMs): string {
  if (sinceLookMs === undefined) return '';
  return speech.text('lastChecked', { time: formatDuration(Math.max(1000, sinceLookMs), speech) });
}
