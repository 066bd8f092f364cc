import { ClockBar } from './clock-bar.tsx';
import { Credentials } from './credentials.tsx';
import type { PanelModel } from './panel-model.ts';
import { formatTime } from './panel-text.ts';
import { PaymentCard } from './payment-card.tsx';

type ModelProps = { model: PanelModel };

export function App({ model, baseUrl }: ModelProps & { baseUrl: string }) {
  return (
    <>
      <header class="top">
        <div>
          <h1>Sandbox control panel</h1>
          <p class="quiet">Be the bank: make transfers arrive, and move the clock.</p>
        </div>
        <a href="/">Open the shop</a>
      </header>
      <Connection model={model} />
      <main>
        <ClockBar model={model} />
        <div class="columns">
          <Payments model={model} />
          <Credentials baseUrl={baseUrl} report={model.report} />
        </div>
      </main>
      <OutcomeLine model={model} />
    </>
  );
}

function Connection({ model }: ModelProps) {
  const texts = {
    connecting: 'Connecting…',
    live: 'Live: payments show up here by themselves.',
    lost: 'The server does not answer. Start it again; this page goes on by itself.',
  };
  const state = model.connection.value;
  return (
    <p class="connection" role="status" data-connection={state}>
      {texts[state]}
    </p>
  );
}

function Payments({ model }: ModelProps) {
  const payments = model.payments.value;
  return (
    <section aria-labelledby="payments-title">
      <h2 id="payments-title">Payments</h2>
      {payments?.length === 0 && <NoPayments />}
      <ul class="payments">
        {payments?.map((payment) => (
          <li key={payment.reference}>
            <PaymentCard model={model} payment={payment} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function NoPayments() {
  return (
    <div class="card empty">
      <h3>No payment yet</h3>
      <p>
        <a href="/" target="_blank" rel="noopener">
          Open the shop
        </a>{' '}
        in another tab and press “Pay by bank transfer”. The payment then shows up here.
      </p>
    </div>
  );
}

function OutcomeLine({ model }: ModelProps) {
  const outcome = model.outcome.value;
  return (
    <div class="outcome" data-tone={outcome?.tone} data-empty={outcome === undefined}>
      <div role="status" data-field="outcome">
        {outcome && (
          <p>
            <time dateTime={new Date(outcome.atMs).toISOString()}>{formatTime(outcome.atMs)}</time>{' '}
            {outcome.text}
          </p>
        )}
      </div>
      {outcome && (
        <button type="button" class="small" onClick={model.dismissOutcome}>
          Close
        </button>
      )}
    </div>
  );
}
