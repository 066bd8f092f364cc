import type { JSX } from 'preact';
import type { Screen } from './screen.ts';

type LineKey = 'offline' | 'retrying' | 'lost' | 'stillTrying' | 'timeIsUp' | 'waiting';

function lineKey({ state, remainingMs, more, isMoreLate }: Screen): LineKey | undefined {
  if (state.isOffline) return 'offline';
  const connection = 'connection' in state ? state.connection : 'ok';
  if (connection === 'retrying') return 'retrying';
  if (connection !== 'ok') return 'lost';
  if (!more && isMoreLate) return 'stillTrying';
  if (state.name !== 'awaitingTransfer' && state.name !== 'partlyPaid') return undefined;
  return remainingMs === 0 ? 'timeIsUp' : 'waiting';
}

/** What there is to say of the connection; nothing when it is as it should be. */
export function connectionTitle(screen: Screen): string | undefined {
  const key = lineKey(screen);
  return key && key !== 'waiting' ? screen.model.text(key) : undefined;
}

/** Says what the page is doing at this moment: waiting, asking, or unable to ask. Nothing where all is said. */
export function ConnectionLine(screen: Screen): JSX.Element | null {
  const { text } = screen.model;
  const { more } = screen;
  const key = lineKey(screen);
  if (!key) return null;
  const isTrying = key === 'retrying' || key === 'stillTrying';
  return (
    <div class={`status ${key === 'waiting' || key === 'timeIsUp' ? 'ok' : isTrying ? 'retrying' : key}`}>
      <b>{text(key)}</b>
      {key === 'waiting' && <p>{text('waitingLead')}</p>}
      {key === 'timeIsUp' && <p>{text('expiredWarning')}</p>}
      {more && <more.ConnectionHelp {...screen} />}
    </div>
  );
}
