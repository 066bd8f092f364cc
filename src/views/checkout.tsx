import type { JSX } from 'preact';
import { paymentOf, wordsOf } from '../model/index.ts';
import type { Screen } from './screen.ts';
import { TransferScreen } from './transfer-screen.tsx';

/** The whole checkout: the shop's name, exactly one screen, and a voice for screen readers that outlives it. */
export function Checkout(screen: Screen): JSX.Element {
  const { model, state, more } = screen;
  const { title, leads } = wordsOf(state, model.text);
  const payment = paymentOf(state);
  return (
    <div class="card" part="card" data-state={state.name} data-theme={model.theme} tabIndex={-1}>
      <div class="head">
        <b>{model.merchantName}</b>
        {payment?.liveMode === false && (
          <span class="test" part="test-mode">
            {model.text('testMode')}
          </span>
        )}
      </div>
      {state.name === 'awaitingTransfer' ? (
        <TransferScreen {...screen} state={state} />
      ) : (
        <div class="notice">
          {more ? (
            <more.Notice {...screen} />
          ) : (
            <>
              <h2>{title}</h2>
              <p>{leads}</p>
              {state.name === 'unavailable' && (
                <button type="button" onClick={model.restart}>
                  {model.text('tryAgain')}
                </button>
              )}
            </>
          )}
        </div>
      )}
      {payment && (
        <p class="foot">
          {model.text('reference')} <span data-field="reference">{payment.reference}</span>
        </p>
      )}
      {/* Equal text is not set again, so only a change is spoken; the time left is not in it. */}
      <p class="spoken" role="status">
        {[title, ...leads].join('. ')}
      </p>
    </div>
  );
}
