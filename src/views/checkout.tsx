import type { JSX } from 'preact';
import { directionOf, firstLeadOf, titleOf } from '../model/index.ts';
import { Account } from './account.tsx';
import type { Screen } from './screen.ts';

/** The whole checkout: the shop's name, exactly one screen, and a voice for screen readers that outlives it. */
export function Checkout(screen: Screen): JSX.Element {
  const { model, frame, settings, state, more, isMoreLate } = screen;
  const { text, locale } = model;
  const { logo } = settings;
  const isPaying = state.name === 'awaitingTransfer' || state.name === 'partlyPaid';
  const title = (more?.fullTitleOf ?? titleOf)(state, model);
  const leads = more?.leadsOf(state, model) ?? [firstLeadOf(state, model)];
  // Equal text is not set again, so only a change is spoken.
  // Of the account the lead goes on with the title's sentence. Elsewhere each is one of its own, with one stop.
  const spoken = [title, ...leads].filter(Boolean).join(state.name === 'awaitingTransfer' ? ' ' : '. ');
  const voices = [spoken.replace(/([.!?…؟])\. /g, '$1 '), ...(more?.voicesOf(screen) ?? [])];
  return (
    <div
      class="card"
      part="card"
      data-state={state.name}
      data-theme={settings.theme}
      style={settings.variables}
      lang={locale}
      dir={directionOf(locale)}
      tabIndex={-1}
    >
      <div class="head">
        {/* biome-ignore lint/performance/noImgElement: there is nothing here that would load it in another way */}
        {logo && <img class="logo" part="logo" height="28" src={logo.src} alt={logo.alt} />}
        {!logo?.alt && (
          <b>
            <bdi>{settings.merchantName}</bdi>
          </b>
        )}
        {more && <more.TestMode {...screen} />}
        {frame && <frame.Corner {...screen} />}
      </div>
      <div class="top">
        {more && <more.Icon state={state} />}
        <h2 part="title">
          {title} {(isPaying || !more) && <small>{leads}</small>}
        </h2>
      </div>
      {state.name === 'loading' && <div class="ghost" />}
      {isPaying && <Account {...screen} state={state} />}
      {more && <more.Rest {...screen} />}
      {isMoreLate && !more && <p>{text('stillTrying')}</p>}
      {state.name === 'unavailable' && !more && (
        <button type="button" onClick={model.restart}>
          {text('tryAgain')}
        </button>
      )}
      {[0, 1, 2, 3].map((voice) => (
        <p key={voice} class="spoken" role="status">
          {voices[voice]}
        </p>
      ))}
    </div>
  );
}
