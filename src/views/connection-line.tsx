import type { JSX } from 'preact';
import type { Connection } from '../model/index.ts';
import type { Screen } from './screen.ts';

/** Says what the page is doing at this moment: waiting, asking, or unable to ask. Nothing where all is said. */
export function ConnectionLine({
  model: { text, refresh },
  state,
  remainingMs,
  connection,
}: Screen & { connection: Connection }): JSX.Element | null {
  const isWaiting = state.name === 'awaitingTransfer';
  if (connection === 'ok' && !isWaiting) return null;
  const isUp = remainingMs === 0;
  const isLost = connection === 'lost';
  const again = isLost && text('checkAgain');
  return (
    <div class={`status ${connection}`} role="status">
      <b>{text(connection !== 'ok' ? connection : isUp ? 'timeIsUp' : 'waiting')}</b>
      {(isLost || isWaiting) && <p>{text(isLost ? 'lostLead' : isUp ? 'expiredWarning' : 'waitingLead')}</p>}
      {again && (
        <button type="button" onClick={refresh}>
          {again}
        </button>
      )}
    </div>
  );
}
