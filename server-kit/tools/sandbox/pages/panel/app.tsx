import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { Callbacks, describeDelivery } from './callbacks.tsx';
import { ClockBar } from './clock-bar.tsx';
import { PanelContext, type PanelModel, usePanel } from './model.ts';
import { ActionButton } from './parts.tsx';
import { Payments } from './payments.tsx';
import { Requests } from './requests.tsx';
import { demoPages, hrefOf, type SectionId, sectionTitles } from './route.ts';

const views: Readonly<Record<SectionId, ComponentType>> = {
  payments: Payments,
  callbacks: Callbacks,
  requests: Requests,
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
        {shopUrl && <SiteLinks shopUrl={shopUrl} />}
        <h1>Sandbox</h1>
        <Connection />
      </header>
      <div class="always">
        <ClockBar />
      </div>
      <Notices />
      <Navigation />
      <Main />
      <OutcomeLine />
    </PanelContext.Provider>
  );
}

function SiteLinks({ shopUrl }: { shopUrl: string }) {
  return (
    <nav class="site" aria-label="Site">
      {Object.entries(demoPages).map(([path, name]) => (
        <a key={path} href={shopUrl + path} aria-current={name === 'Panel' ? 'page' : undefined}>
          {name}
        </a>
      ))}
    </nav>
  );
}

/** A button, not a link to a fragment: the fragment is the panel's route. */
function focusMain(): void {
  document.querySelector('main')?.focus();
}

function Navigation() {
  const { section: current } = usePanel().route.value;
  return (
    <nav aria-label="Sections">
      <ul>
        {(Object.keys(sectionTitles) as SectionId[]).map((section) => (
          <li key={section}>
            <a href={hrefOf(section)} aria-current={section === current ? 'page' : undefined}>
              {sectionTitles[section]}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
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

/** Reminds in every section of what makes the sandbox fail on purpose. */
function Notices() {
  const { act, calls, data } = usePanel();
  const faults = data.faults.value?.length ?? 0;
  const disturbed = data.delivery.value === undefined ? [] : describeDelivery(data.delivery.value);
  if (faults === 0 && disturbed.length === 0) return null;
  return (
    <section class="notices" aria-label="Active faults and disturbances">
      {faults > 0 && (
        <p data-notice="faults">
          {faults === 1 ? '1 fault is active' : `${faults} faults are active`}{' '}
          <ActionButton action="remove-faults" run={() => act(calls.removeFaults, 'Removed all faults.')}>
            Remove
          </ActionButton>
        </p>
      )}
      {disturbed.length > 0 && (
        <p data-notice="delivery">
          <a href={hrefOf('callbacks')}>Callbacks: {disturbed.join(', ')}</a>
        </p>
      )}
    </section>
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
        <button type="button" data-action="dismiss" onClick={dismissOutcome}>
          Close
        </button>
      )}
    </div>
  );
}
