import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { ClockBar } from './clock-bar.tsx';
import { Navigation } from './navigation.tsx';
import { Notices } from './notices.tsx';
import { PanelContext, usePanel } from './panel-context.ts';
import type { PanelModel } from './panel-model.ts';
import { type SectionId, sectionTitles } from './place.ts';
import { Apps } from './sections/apps.tsx';
import { Callbacks } from './sections/callbacks.tsx';
import { CheckoutLinks } from './sections/checkout-links.tsx';
import { Credentials } from './sections/credentials.tsx';
import { DedicatedAccounts } from './sections/dedicated-accounts.tsx';
import { Faults } from './sections/faults.tsx';
import { Invoices } from './sections/invoices.tsx';
import { Payments } from './sections/payments.tsx';
import { Payouts } from './sections/payouts.tsx';
import { Requests } from './sections/requests.tsx';
import { TaxRates } from './sections/tax-rates.tsx';

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

/** @param props.shopUrl where the demo's shop is; without it the panel speaks of none */
export function App({ model, shopUrl }: { model: PanelModel; shopUrl: string | undefined }) {
  return (
    <PanelContext.Provider value={model}>
      <header class="top">
        <button type="button" class="skip" onClick={focusMain}>
          Skip to the records
        </button>
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

/** No link to a part of the page: the page's address is where the panel keeps its place. */
function focusMain(): void {
  document.querySelector('main')?.focus();
}

function Main() {
  const { section, id } = usePanel().place.value;
  const View = views[section];
  useEffect(() => {
    document.title = `${sectionTitles[section]} · Sandbox`;
    // A record that is open scrolls to itself.
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
  lost: 'No answer from the sandbox. Start it again; this page goes on by itself.',
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
