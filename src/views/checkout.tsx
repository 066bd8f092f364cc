import type { JSX } from 'preact';
import { directionOf, firstLeadOf, titleOf } from '../model/index.ts';
import { Account } from './account.tsx';
import type { Screen } from './screen.ts';
import { ShopName } from './shop-name.tsx';

/** The whole checkout: the shop's name, exactly one screen, and a voice for screen readers that outlives it. */
export function Checkout(screen: Screen): JSX.Element {
  const { model, speech, frame, settings, state, more, isMoreLate, remainingMs } = screen;
  const { text, locale } = speech;
  const isFirst = state.name === 'awaitingTransfer';
  const Place = more && remainingMs === 0 ? more.Details : Account;
  const title = (more?.fullTitleOf ?? titleOf)(state, speech);
  const firstLead = (isFirst || !more) && firstLeadOf(state, speech);
  const leads = more?.leadsOf(state, speech) ?? [firstLead];
  // Equal text is not set again, so only a change is spoken.
  const voices = screen.voices ?? [[title, ...leads].filter(Boolean).join(isFirst ? ' ' : '. ')];
  return (
    <div
      class="card"
      part="card"
      data-state={state.name}
      data-theme={settings.theme}
      style={settings.variables}
      lang={locale}
      dir={directionOf(locale)}
    >
      {/* While a question lies above it, nothing of it can be reached. */}
      <div class="all" inert={!!screen.leaving}>
        <div class="head">
          <ShopName {...settings} />
          {more && <more.TestMode {...screen} />}
          {frame && <frame.Corner {...screen} />}
        </div>
        <div class="top">
          {more && <more.Icon state={state} />}
          <div>
            <h2 part="title" tabIndex={-1}>
              {title}
            </h2>
            {firstLead && <p>{firstLead}</p>}
          </div>
        </div>
        {state.name === 'loading' && <div class="ghost" />}
        {(isFirst || state.name === 'partlyPaid') && (
          <Place {...screen} state={state} payment={state.payment} />
        )}
        {more && <more.Rest {...screen} />}
        {isMoreLate && !more && <p>{text('stillTrying')}</p>}
        {state.name === 'unavailable' && !more && (
          <button type="button" onClick={model.restart}>
            {text('tryAgain')}
          </button>
        )}
      </div>
      {more && <more.LeaveQuestion {...screen} />}
      {[0, 1, 2, 3].map((voice) => (
        <p key={voice} class="spoken" role="status">
          {voices[voice]}
        </p>
      ))}
    </div>
  );
}
