import type { ControlCheckoutLink, ControlPayment } from 'transfer-checkout/sandbox';
import { formatMoney } from '../../../format/money.ts';
import { formatArrived, linkStatus } from '../../../format/records.ts';
import { usePanel } from '../../model/panel-context.ts';
import { hrefOf } from '../../model/route.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Badge } from '../../parts/badge.tsx';
import { RawJson } from '../../parts/code-block.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Facts } from '../../parts/facts.tsx';
import { RecordCallbacks } from '../../parts/record-callbacks.tsx';
import { RecordList } from '../../parts/record-list.tsx';
import { TimeLeft, Timestamp } from '../../parts/time.tsx';

type LinkProps = { link: ControlCheckoutLink };

export function CheckoutLinks() {
  const { data, time } = usePanel();
  const statusOf = (link: ControlCheckoutLink): string => linkStatus(link, time.nowSeconds.value);
  return (
    <RecordList
      section="checkout-links"
      intro="A page of the service for each order. Opening it creates the payment."
      polled={data['checkout-links']}
      idOf={({ id }) => id}
      filterFields={(link) => [
        link.id,
        link.reference,
        statusOf(link),
        link.amount && formatMoney(link.amount),
      ]}
      filterBy="reference, amount, status"
      row={(link) => (
        <>
          <strong class="amount">{link.amount && formatMoney(link.amount)}</strong>
          <Badge status={statusOf(link)} />
          <code class="name">{link.reference}</code>
          {!link.isOpened && <TimeLeft until={link.expiresAt} />}
        </>
      )}
      rowActions={(link) => (link.isOpened ? <PaymentOf link={link} /> : <OpenLink link={link} />)}
      details={(link) => <LinkDetails link={link} />}
      empty={<NoLinks />}
    />
  );
}

function OpenLink({ link }: LinkProps) {
  const { act, calls, time } = usePanel();
  const { id, reference } = link;
  if (linkStatus(link, time.nowSeconds.value) === 'expired') return null;
  const open = () => act(() => calls.openCheckoutLink(id), `Opened: ${reference} is now a payment.`);
  return (
    <div class="record-beside">
      <ActionButton action="open-link" kind="primary" label={`Open the link: ${reference}`} run={open}>
        Open
      </ActionButton>
    </div>
  );
}

/** Returns the payment of an opened link. */
function usePaymentOf({ reference }: ControlCheckoutLink): ControlPayment | undefined {
  const { data } = usePanel();
  return data.payments.latest.value?.find((payment) => payment.reference === reference);
}

function PaymentOf({ link }: LinkProps) {
  const payment = usePaymentOf(link);
  return (
    <div class="record-beside" data-field="payment">
      <a href={hrefOf('payments', link.reference)} aria-label={`Payment ${link.reference}`}>
        Payment
      </a>
      {payment && <Badge status={payment.status} />}
    </div>
  );
}

function LinkDetails({ link }: LinkProps) {
  const { id, reference, authorizationUrl, returnUrl, callbackUrl, expiresAt } = link;
  const payment = usePaymentOf(link);
  return (
    <>
      <div class="columns">
        <Facts
          facts={[
            {
              name: 'Page',
              value: (
                <>
                  <a href={authorizationUrl} target="_blank" rel="noreferrer">
                    {authorizationUrl}
                  </a>{' '}
                  <CopyButton label="page’s address" value={authorizationUrl} />
                </>
              ),
              field: 'authorizationUrl',
            },
            { name: 'Expires', value: expiresAt && <Timestamp at={expiresAt} /> },
            { name: 'Returns to', value: returnUrl && <code>{returnUrl}</code> },
            { name: 'Arrived', value: payment && formatArrived(payment), field: 'chargedAmount' },
            { name: 'Reference', value: <code>{reference}</code> },
            { name: 'Id', value: <code>{id}</code> },
            { name: 'Callbacks to', value: callbackUrl && <code>{callbackUrl}</code> },
          ]}
        />
        <RecordCallbacks ids={[payment?.id, reference]} callbackUrl={callbackUrl} />
      </div>
      <RawJson record={link} />
    </>
  );
}

const NoLinks = () => (
  <>
    <h3>No checkout link yet</h3>
    <p>
      Create one from your server, with <code>client.checkout.create(…)</code> or{' '}
      <code>checkout.createLink(order)</code>. It appears here by itself.
    </p>
  </>
);
