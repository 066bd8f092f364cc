import type { JSX } from 'preact';
import { directionOf, firstLeadOf, paymentOf, titleOf } from '../model/index.ts';
import type { Screen } from './screen.ts';
import { TransferScreen } from './transfer-screen.tsx';

/** The whole checkout: the shop's name, exactly one screen, and a voice for screen readers that outlives it. */
export function Checkout(screen: Screen): JSX.Element {
  const { model, frame, settings, state, more, isMoreLate } = screen;
  const { text, locale } = model;
  const { logo } = settings;
  const payment = paymentOf(state);
  const title = (more?.fullTitleOf ?? titleOf)(state, model);
  const leads = more?.leadsOf(state, model) ?? [firstLeadOf(state, model)];
  // Equal text is not set again, so only a change is spoken.
  const voices = [[title, ...leads].filter(Boolean).join('. '), ...(more?.voicesOf(screen) ?? [])];
  return (
    <div
      class="card"
      part="card"
      data-state={state.name}
      data-theme={settings.theme}
      data-density={settings.density}
      style={settings.variables}
      lang={locale}
      dir={directionOf(locale)}
      tabIndex={-1}
    >
      <div class="head">
        {/* biome-ignore lint/performance/noImgElement: there is nothing here that would load it in another way */}
        {logo && <img class="logo" part="logo" src={logo.src} alt={logo.alt} />}
        {!logo?.alt && (
          <b>
            <bdi>{settings.merchantName}</bdi>
          </b>
        )}
        {payment?.liveMode === false && (
          <span class="test" part="test-mode">
            {text('testMode')}
          </span>
        )}
        {frame && <frame.Corner {...screen} />}
      </div>
      {state.name === 'awaitingTransfer' || state.name === 'partlyPaid' ? (
        <TransferScreen {...screen} state={state} />
      ) : more ? (
        <more.Notice {...screen} />
      ) : (
        <>
          <div class="top">
            <h2>{title}</h2>
          </div>
          <p>{leads}</p>
          {isMoreLate && <p>{text('stillTrying')}</p>}
          {state.name === 'unavailable' && (
            <button type="button" onClick={model.restart}>
              {text('tryAgain')}
            </button>
          )}
        </>
      )}
      {state.name === 'loading' && <div class="ghost" />}
      {payment && (
        <p class="foot">
          {text('reference')}{' '}
          <bdi data-field="reference" dir="ltr">
            {payment.reference}
          </bdi>
        </p>
      )}
      {[0, 1, 2, 3].map((voice) => (
        <p key={voice} class="spoken" role="status">
          {voices[voice]}
        </p>
      ))}
    </div>
  );
}
