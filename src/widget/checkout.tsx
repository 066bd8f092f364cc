import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { paymentOf, type State } from '../core/state.ts';
import { directionOf } from '../i18n/translator.ts';
import { Announcer } from './announcer.tsx';
import { useCheckout } from './context.tsx';
import { subtitleOf, titleOf } from './description/explanation.ts';
import { isPayable } from './description/payment-facts.ts';
import { CloseButton, LanguageSwitch, ShopName } from './parts/head.tsx';
import { Icon } from './parts/icon.tsx';
import { LeaveDialog } from './parts/leave-dialog.tsx';
import { Text } from './parts/text.tsx';
import { StatusScreen } from './screens/status-screen.tsx';
import { TransferScreen } from './screens/transfer-screen.tsx';

/** `noScript` is shown by browsers without scripts. */
export type CheckoutProps = { readonly noScript?: string | undefined };

/** The whole checkout: a card with one screen, and the live region for screen readers, which outlives the screens. */
export function Checkout({ noScript }: CheckoutProps): JSX.Element {
  const { state, model, translator, viewState, page } = useCheckout();
  const { theme, density, variables } = model.settings.value;
  const { locale } = translator.value;
  const card = useRef<HTMLDivElement>(null);
  const now = state.value;
  // A shopper who is using the card does not want the page to leave it.
  const stay = ({ target }: Event): void => {
    if (!(target as Element).closest('[data-action="back"]')) viewState.returnRedirect.cancelReturn();
  };
  return (
    // biome-ignore lint/a11y: only observes
    <div
      class="card"
      part={`card ${now.name}`}
      data-state={now.name}
      data-theme={theme}
      data-density={density}
      // Written by script, which a content security policy allows: a server has none.
      style={variables}
      ref={card}
      lang={locale}
      dir={directionOf(locale)}
      onClick={stay}
      onKeyDown={stay}
    >
      <div class="content" inert={!!model.leaving.pendingLeave.value}>
        <div class="head">
          <ShopName />
          {paymentOf(now)?.liveMode === false && (
            <Text class="test" part="test-mode">
              {translator.value.text('testMode')}
            </Text>
          )}
          {page.onClose && <CloseButton onClose={page.onClose} />}
        </div>
        <StateHeading state={now} />
        {now.name === 'loading' && <div class="skeleton" />}
        {(!isFirstLoad(now) || viewState.details.value.isLoadingLong) && (
          <Screen state={now} noScript={noScript} />
        )}
      </div>
      <LeaveDialog />
      <Announcer card={card} />
    </div>
  );
}

/** The account to pay into stays in its place; any other screen, and any more money, replaces what was there. */
const screenKey = (state: State): string => {
  if (isPayable(state) || state.name === 'loading') return '';
  const { chargedAmount, orderChargedAmount } = paymentOf(state) ?? {};
  return [state.name, chargedAmount, orderChargedAmount].join(' ');
};

/** While nothing is known and nothing has failed, the title says everything. */
const isFirstLoad = (state: State): boolean =>
  state.name === 'loading' && state.failures === 0 && !state.isOffline && !state.previous;

function StateHeading({ state }: { state: State }): JSX.Element {
  const { translator: localized, viewState } = useCheckout();
  const { isTimeUp } = viewState.timeLeft;
  const translator = localized.value;
  const title = titleOf(state, translator, isTimeUp.value);
  const subtitle = isPayable(state) && subtitleOf(state, translator);
  const lead = isTimeUp.value ? (
    <Text as="b">{translator.text('expiredWarning')}</Text>
  ) : (
    subtitle && (
      <>
        <Text>{subtitle}</Text>
        {/* Styles show it in the other's place where the text is large. */}
        <Text class="brief">{subtitleOf(state, translator, true)}</Text>
      </>
    )
  );
  return (
    <div class="top" key={screenKey(state)}>
      <Icon state={state} />
      <div>
        {/* It takes the focus when the focused element goes. */}
        <Text as="h2" part="title" tabIndex={-1}>
          {title}
        </Text>
        {lead && <p>{lead}</p>}
      </div>
    </div>
  );
}

function Screen({ state, noScript }: CheckoutProps & { readonly state: State }): JSX.Element {
  return (
    <>
      {isPayable(state) ? (
        <TransferScreen state={state} />
      ) : (
        <StatusScreen key={screenKey(state)} state={state} />
      )}
      <LanguageSwitch />
      {noScript && (
        <noscript>
          <p>{noScript}</p>
        </noscript>
      )}
    </>
  );
}
