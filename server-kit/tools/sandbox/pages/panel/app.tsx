import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { PanelContext, usePanel } from './model/panel-context.ts';
import type { PanelModel } from './model/panel-model.ts';
import { type SectionId, sectionTitles } from './model/route.ts';
import { ClockBar } from './page/clock-bar.tsx';
import { Navigation } from './page/navigation.tsx';
import { Notices } from './page/notices.tsx';
import { Callbacks } from './sections/integration/callbacks.tsx';
import { Credentials } from './sections/integration/credentials.tsx';
import { Faults } from './sections/integration/faults.tsx';
import { Requests } from './sections/integration/requests.tsx';
import { Apps } from './sections/merchant/apps.tsx';
import { Invoices } from './sections/merchant/invoices.tsx';
import { Payouts } from './sections/merchant/payouts.tsx';
import { TaxRates } from './sections/merchant/tax-rates.tsx';
import { CheckoutLinks } from './sections/payments/checkout-links.tsx';
import { DedicatedAccounts } from './sections/payments/dedicated-accounts.tsx';
import { Payments } from './sections/payments/payments.tsx';

const views: Readonly<Record<SectionId, ComponentType>> = {
  payments: Payments,
  'checkout-links': CheckoutLinks,
  'dedicated-accounts': DedicatedAccounts,
  payouts: Payouts,
  invoices: Invoices,
  'tax-rates': TaxRates,
  apps: Apps,
  callbacks: Callbacks,
  requests: Requests,
  faults: Faults,
  credentials: Credentials,
};

/** @param props.shopUrl the address of the demo's shop; without it the panel does not mention one */
export function App({ model, shopUrl }: { model: PanelModel; shopUrl: string | undefined }) {
  return (
    <PanelContext.Provider value={model}>
      <header class="top">
        <button type="button" class="skip" onClick={focusMain}>
          Skip to the records
        </button>
        <p class="wordmark">transfer-checkout</p>
        <h1>Sandbox</h1>
        <Connection />
        {shopUrl && (
          <a class="shop-link" href={shopUrl}>
            Open the shop
          </a>
        )}
      </header>
      <div class="always">
        <ClockBar />
      </div>
      <Notices />
      <div class="body">
        <Navigation />
        <Main />
      </div>
      <OutcomeLine />
    </PanelContext.Provider>
  );
}

/** A button, not a link to a fragment: the fragment is the panel's route. */
function focusMain(): void {
  document.querySelector('main')?.focus();
}

function Main() {
  const { section, id } = usePanel().route.value;
  const View = views[section];
  useEffect(() => {
    document.title = `${sectionTitles[section]} · Sandbox`;
    // An open record scrolls itself into view.
    if (id === undefined) window.scrollTo(0, 0);
  }, [section]);
  return (
    <main tabIndex={-1}>
      <View key={section} />
    </main>
  );
}

const connectionTexts = {
  connecting: 'Connecting…',
  live: 'Live',
  lost: 'No response from the sandbox. Start it again; this page reconnects by itself.',
};

function Connection() {
  const state = usePanel().connection.value;
  return (
    <p class="connection" role="status" data-connection={state}>
      {connectionTexts[state]}
    </p>
  );
}

function OutcomeLine() {
  const { outcome, dismissOutcome } = usePanel();
  const now = outcome.value;
  return (
    <div class="outcome" data-tone={now?.tone} data-empty={now === undefined}>
      <p role="status" data-field="outcome">
        {now?.text}
      </p>
      {now && (
        <button type="button" class="plain" data-action="dismiss" onClick={dismissOutcome}>
          Close
        </button>
      )}
    </div>
  );
}
