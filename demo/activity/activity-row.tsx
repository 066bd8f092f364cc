import type { ControlCallback, ControlCallbackAttempt, LoggedRequest } from 'transfer-checkout/sandbox';
import { formatMoney } from '../../server-kit/tools/sandbox/pages/format/money.ts';
import { formatJson, formatPath, formatSignature } from '../../server-kit/tools/sandbox/pages/format/text.ts';
import { formatDateTime, formatTime } from '../../server-kit/tools/sandbox/pages/format/time.ts';
import type { ShopEvent } from '../merchant/shop-records.ts';
import type { TimelineRow } from './timeline.ts';

/** What each handler of the shop means. */
const handlerTexts: Readonly<Record<ShopEvent['name'], string>> = {
  onPaid: 'The order is paid. The shop delivers now.',
  onExpired: 'The account has expired. The shop may release the goods.',
  onFailed: 'The payment failed.',
  onReversed: 'The money was taken back.',
  onAmountMismatch: 'The payment ended with less than the price.',
  onUnexpectedMoney: 'Money arrived that the order did not need. The shop returns it.',
  onUnexpectedMoneyReversed: 'Money that the order did not need was taken back.',
  onUnmatchedMoney: 'Money arrived that belongs to no order.',
  onUnmatchedMoneyReversed: 'Money that belongs to no order was taken back.',
};

const operationTexts: Readonly<Record<string, string>> = {
  'payments.initiate': 'The server gets an account for the order.',
  'payments.verify': 'The server verifies the payment.',
  'checkout.create': 'The server gets a payment page for the order.',
};

export function ActivityRow({ row: { activity, count } }: { row: TimelineRow }) {
  return (
    <li class="activity-row" data-kind={activity.kind}>
      <time dateTime={activity.at} title={`${formatDateTime(activity.at)} UTC`}>
        {formatTime(activity.at)}
      </time>
      {activity.kind === 'handler' && <Handler event={activity.event} />}
      {activity.kind === 'request' && <Request request={activity.request} count={count} />}
      {activity.kind === 'callback' && <Callback {...activity} />}
    </li>
  );
}

function Handler({ event: { name, orderId, received } }: { event: ShopEvent }) {
  return (
    <div class="activity-what">
      <p>
        <span class="activity-kind">Handler</span> <code class="activity-name">{name}</code>
      </p>
      <p class="activity-text">{handlerTexts[name]}</p>
      <p class="activity-text">
        <code>{orderId}</code> · {formatMoney(received)} received
      </p>
    </div>
  );
}

function Request({ request, count }: { request: LoggedRequest; count: number }) {
  const { method, path, operation, status, error, requestHeaders, requestBody } = request;
  return (
    <div class="activity-what">
      <p>
        <span class="activity-kind">Server → service</span>{' '}
        <code class="activity-name">
          {method} {formatPath(path)}
        </code>{' '}
        <Status status={status} />
        {count > 1 && <span class="activity-count">{count} times</span>}
      </p>
      {operation !== null && <p class="activity-text">{operationTexts[operation]}</p>}
      {error !== null && <p class="activity-error">{error.message}</p>}
      <Signed
        signature={requestHeaders['request-signature']}
        timestamp={requestHeaders['request-timestamp']}
        body={requestBody}
      />
    </div>
  );
}

function Callback({ callback, attempt }: { callback: ControlCallback; attempt: ControlCallbackAttempt }) {
  const { signature, timestamp, status } = attempt;
  return (
    <div class="activity-what">
      <p>
        <span class="activity-kind">Service → server</span>{' '}
        <code class="activity-name">POST {new URL(callback.url).pathname}</code> <Status status={status} />
      </p>
      <p class="activity-text">
        Callback <code>{callback.event}</code>: a reason to verify, not a proof.
      </p>
      <Signed signature={signature} timestamp={timestamp} body={callback.body} />
    </div>
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

type SignedProps = { signature: string | undefined; timestamp: string | undefined; body: string | null };

/** The signature, shortened, with the whole message to unfold. */
function Signed({ signature, timestamp, body }: SignedProps) {
  if (!signature) return null;
  const headers = formatSignature(signature, timestamp);
  return (
    <details class="activity-signed">
      <summary>
        Signed <code>{`${signature.slice(0, 6)}…${signature.slice(-4)}`}</code>
      </summary>
      <pre>{body === null ? headers : `${headers}\n\n${formatJson(body)}`}</pre>
    </details>
  );
}
