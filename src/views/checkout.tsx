import type { JSX } from 'preact';
import { directionOf, firstLeadOf, paymentOf, titleOf } from '../model/index.ts';
import { ConnectionLine, connectionTitle } from './connection-line.tsx';
import type { Screen } from './screen.ts';
import { TransferScreen } from './transfer-screen.tsx';

/** The whole checkout: the shop's name, exactly one screen, and a voice for screen readers that outlives it. */
export function Checkout(screen: Screen): JSX.Element {
  const { model, settings, state, more, copied } = screen;
  const { text, locale } = model;
  const title = titleOf(state, model);
  const payment = paymentOf(state);
  const leads = more ? more.leadsOf(state, model) : [firstLeadOf(state, model)];
  // Equal text is not set again, so only a change is spoken: what happened, how the connection is, what was copied, the time.
  const spoken = [
    [title, ...leads].filter(Boolean).join('. '),
    connectionTitle(screen),
    copied &&
      `${text(copied.field)}: ${text(copied.worked ? 'copied' : 'pressToCopy')}${copied.times % 2 ? '' : '\u00a0'}`,
    more?.spokenTimeLeft(screen),
  ];
  return (
    <div
      class="card"
      part="card"
      data-state={state.name}
      data-theme={settings.theme}
      lang={locale}
      dir={directionOf(locale)}
      tabIndex={-1}
    >
      <div class="head">
        <b dir="auto">{settings.merchantName}</b>
        {payment?.liveMode === false && (
          <span class="test" part="test-mode">
            {text('testMode')}
          </span>
        )}
      </div>
      {state.name === 'awaitingTransfer' || state.name === 'partlyPaid' ? (
        <TransferScreen {...screen} state={state} />
      ) : (
        <div class="notice">
          {more ? (
            <more.Notice {...screen} />
          ) : (
            <>
              <h2>{title}</h2>
              <p>{leads}</p>
              <ConnectionLine {...screen} />
              {state.name === 'unavailable' && (
                <button type="button" onClick={model.restart}>
                  {text('tryAgain')}
                </button>
              )}
            </>
          )}
        </div>
      )}
      {payment && (
        <p class="foot">
          {text('reference')} <bdi data-field="reference">{payment.reference}</bdi>
        </p>
      )}
      {spoken.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: four voices, each in its place for good
        <p key={index} class="spoken" role="status">
          {line}
        </p>
      ))}
    </div>
  );
}
