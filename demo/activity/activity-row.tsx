import type { ComponentChildren } from 'preact';
import type { ControlCallback, ControlCallbackAttempt, LoggedRequest } from 'transfer-checkout/sandbox';
import { formatMoney } from '../../server-kit/tools/sandbox/pages/format/money.ts';
import { formatJson, formatPath, formatSignature } from '../../server-kit/tools/sandbox/pages/format/text.ts';
import type { ShopEvent } from '../merchant/shop-records.ts';
import type { TimelineRow } from './timeline.ts';

/** The handler of each outcome, and what the call means. */
const handlers: Readonly<Record<ShopEvent['outcome'], readonly [name: string, text: string]>> = {
  paid: ['onPaid', 'The order is paid: the shop delivers now.'],
  expired: ['onExpired', 'The account has expired: the shop may release the goods.'],
  failed: ['onFailed', 'The payment failed.'],
  reversed: ['onAttention', 'The money was taken back.'],
  amountMismatch: ['onAttention', 'The payment ended with less than the price.'],
  unexpectedMoney: ['onAttention', 'More money arrived than the order costs: the shop returns it.'],
  unexpectedMoneyReversed: ['onAttention', 'Money that the order did not need was taken back.'],
  otherPayment: ['onAttention', 'The service names another payment: the shop asks about it.'],
};

const operationTexts: Readonly<Record<string, string>> = {
  'payments.initiate': 'Asks for an account',
  'payments.verify': 'Verifies the payment',
  'checkout.create': 'Asks for a payment page',
};

const callbackTexts: Readonly<Record<string, string>> = {
  'payment.awaiting_charge': 'Hears that a part has arrived',
  'payment.charged': 'Hears that money has arrived',
  'payment.succeeded': 'Hears that the money is confirmed',
  'payment.expired': 'Hears that the time has run out',
  'payment.reversed': 'Hears that the money was taken back',
};

/** One line of the story. */
export function ActivityRow({ row: { activity, count } }: { row: TimelineRow }) {
  return (
    <li class="activity-row" data-kind={activity.kind}>
      {/* In the visitor's time zone, as in the checkout beside it. */}
      <time dateTime={activity.at}>{new Date(activity.at).toLocaleTimeString('en-GB')}</time>
      <div>
        {activity.kind === 'handler' && <Handler event={activity.event} />}
        {activity.kind === 'request' && <Request request={activity.request} count={count} />}
        {activity.kind === 'callback' && <Callback {...activity} />}
      </div>
    </li>
  );
}

function Handler({ event }: { event: ShopEvent }) {
  const { key, outcome, orderId, amount, reference, received } = event;
  const [name, text] = handlers[outcome];
  const payload = {
    outcome,
    'order.orderId': orderId,
    'order.amount': amount,
    'payment.reference': reference,
    'payment.chargedAmount': received.value,
    idempotencyKey: key,
  };
  return (
    <>
      <p>
        Runs <code class="activity-name">{name}</code>
      </p>
      <p class="activity-text">
        {formatMoney(received)} received. {text}
      </p>
      <dl class="activity-payload">
        {Object.entries(payload).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt> <dd>{toLine(value)}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

/** JSON in one line that can break between its fields. */
const toLine = (value: unknown): string => JSON.stringify(value, null, 1).replace(/\n\s*/g, ' ');

function Request({ request, count }: { request: LoggedRequest; count: number }) {
  const { method, path, operation, status, error, requestHeaders, requestBody } = request;
  return (
    <>
      <p>
        {operationTexts[operation ?? ''] ?? 'Sends a request'}
        {count > 1 && <span class="activity-count">{count} times</span>}
      </p>
      {error !== null && <p class="activity-error">{error.message}</p>}
      <Signed
        signature={requestHeaders['request-signature']}
        timestamp={requestHeaders['request-timestamp']}
        body={requestBody}
      >
        <code class="activity-name">
          {method} {formatPath(path)}
        </code>{' '}
        <Status status={status} />
      </Signed>
    </>
  );
}

function Callback({ callback, attempt }: { callback: ControlCallback; attempt: ControlCallbackAttempt }) {
  const { signature, timestamp, status } = attempt;
  return (
    <>
      <p>{callbackTexts[callback.event] ?? 'Is called back'}</p>
      <Signed signature={signature} timestamp={timestamp} body={callback.body}>
        <code class="activity-name">POST {new URL(callback.url).pathname}</code> <Status status={status} />
      </Signed>
    </>
  );
}

function Status({ status }: { status: number | null }) {
  const isGood = status !== null && status < 400;
  return (
    <span class="activity-status" data-tone={isGood ? 'good' : 'bad'}>
      {status ?? 'no response'}
    </span>
  );
}

type SignedProps = {
  signature: string | undefined;
  timestamp: string | undefined;
  body: string | null;
  children: ComponentChildren;
};

/** The call, with its signature and the whole message folded below it. */
function Signed({ signature, timestamp, body, children }: SignedProps) {
  if (!signature) return <p class="activity-call">{children}</p>;
  const headers = formatSignature(signature, timestamp);
  return (
    <details class="activity-call">
      <summary>{children}</summary>
      <pre>{body === null ? headers : `${headers}\n\n${formatJson(body)}`}</pre>
    </details>
  );
}
