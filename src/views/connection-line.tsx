import type { JSX } from 'preact';
import type { CheckoutModel, Connection } from '../model/index.ts';

type Props = { model: CheckoutModel; connection: Connection };

/** Says what the page is doing at this moment: waiting, asking, or unable to ask. */
export function ConnectionLine({ model, connection }: Props): JSX.Element | null {
  const { text, state, timeLeft } = model;
  if (connection === 'lost') {
    return (
      <div class="status lost">
        <p>
          <b>{text('lost')}</b>
        </p>
        <p>{text('lostLead')}</p>
        <button type="button" class="quiet" onClick={model.refresh}>
          {text('checkAgain')}
        </button>
      </div>
    );
  }
  const isWaiting = state.value.name === 'awaitingTransfer';
  if (connection === 'ok' && !isWaiting) return null;
  return (
    <div class={`status ${connection}`}>
      <p>
        <i class="dot" />
        <b>
          {text(
            connection === 'retrying'
              ? 'retrying'
              : timeLeft.value?.remainingMs === 0
                ? 'timeIsUp'
                : 'waiting',
          )}
        </b>
      </p>
      {isWaiting && <p>{text('waitingLead')}</p>}
    </div>
  );
}
