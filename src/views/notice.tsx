import type { JSX } from 'preact';
import { formatMoney, groupAccountNumber, type PaymentView, paymentOf } from '../model/index.ts';
import { fullTitleOf, leadsOf } from '../model/more.ts';
import { ConnectionLine } from './connection-line.tsx';
import { Icon } from './icon.tsx';
import { LeaveQuestion } from './leave-question.tsx';
import { Links } from './links.tsx';
import { Receipt } from './receipt.tsx';
import { Returning } from './returning.tsx';
import type { Screen } from './screen.ts';
import { WayOn } from './way-on.tsx';

/** What has happened, in a few words, and the way on. */
export function Notice(screen: Screen): JSX.Element {
  const { model, state } = screen;
  const payment = paymentOf(state);
  const isPaid = state.name === 'succeeded' || state.name === 'receivedLate';
  return (
    <>
      <Icon state={state} />
      <h2>{fullTitleOf(state, model)}</h2>
      {state.name === 'confirming' && (
        <p class="sum" data-field="amount">
          {formatMoney(state.payment.amount, model.locale)}
        </p>
      )}
      {leadsOf(state, model).map((lead) => (
        // The merchant's own words may be of another direction than ours.
        <p key={lead} dir="auto">
          {lead}
        </p>
      ))}
      {isPaid && payment && <Receipt {...screen} payment={payment} />}
      {state.name === 'checking' && state.because === 'sent' && (
        <SentDetails {...screen} payment={state.payment} />
      )}
      <ConnectionLine {...screen} />
      <WayOn {...screen} />
      <LeaveQuestion {...screen} />
      <Returning {...screen} />
      <Links {...screen} isMain={isPaid} />
    </>
  );
}

/** Where the money was sent to: still there to compare, and no longer what the page is about. */
function SentDetails({ model, payment }: Screen & { payment: PaymentView }): JSX.Element {
  const { text, locale } = model;
  const rows = [
    ['accountNumber', groupAccountNumber(payment.account.number)],
    ['bankName', payment.account.bankName],
    ['amount', formatMoney(payment.amount, locale)],
  ] as const;
  return (
    <dl class="details" part="details">
      {rows.map(
        ([field, shown]) =>
          shown && (
            <div key={field} class="row">
              <dt>{text(field)}</dt>
              <dd>
                <bdi data-field={field}>{shown}</bdi>
              </dd>
            </div>
          ),
      )}
    </dl>
  );
}
