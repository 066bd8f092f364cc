import * as v from 'valibot';
import { CheckoutError, maxQrBytes, type PaymentView } from '../../../src/contract/index.ts';
import { Email, NonEmptyText, RequestAmount, RequestMetadata, WebUrl } from '../../core/fields.ts';
import { canonicalJson } from '../../core/json.ts';
import { describeIssues } from '../../core/options.ts';

/** Of forms and databases: without the spaces around it. */
const trimmed = <Schema extends v.GenericSchema<string>>(schema: Schema) =>
  v.pipe(v.string(), v.trim(), schema);

const OrderCustomer = v.strictObject({
  /** An e-mail address. */
  email: v.optional(trimmed(Email)),
  /** Not empty. */
  name: v.optional(trimmed(NonEmptyText)),
});

/** Whether the client can send it. */
function isJson(metadata: Readonly<Record<string, unknown>>): boolean {
  try {
    canonicalJson(metadata);
    return true;
  } catch {
    return false;
  }
}

/** 30 days. */
const maxExpiresInSeconds = 30 * 24 * 3600;

/**
 * The order to be paid, as the merchant's server describes it. The browser has no influence on it. An optional field that is wrong, or
 * one that is unknown, is left out, with a warning in the log: it must not cost the shopper the account.
 */
export const OrderRequest = v.strictObject({
  /** The merchant's id of the order: 1 to 200 characters, none of them a control character. An order is paid once only. */
  orderId: v.pipe(
    NonEmptyText,
    v.maxLength(200),
    // Databases store some of these as the same text, which would make two orders one.
    v.check((text) => !/[\p{Cc}\p{Surrogate}]/u.test(text), 'must be text without control characters'),
  ),
  /** What the order costs. */
  amount: RequestAmount,
  /** Passed to the service; not stored, and not sent to the browser. Default: none. */
  customer: v.optional(OrderCustomer),
  /** How long the account is open, in whole seconds: 60 to 2,592,000 (30 days). Default: 1,800. */
  expiresInSeconds: v.optional(
    v.pipe(v.number(), v.safeInteger(), v.minValue(60), v.maxValue(maxExpiresInSeconds)),
    1800,
  ),
  /** A JSON object of at most 32,768 bytes (`maxMetadataBytes`), passed to the service; not sent to the browser. Default: none. */
  metadata: v.optional(v.pipe(RequestMetadata, v.check(isJson, 'must be representable as JSON'))),
  /**
   * For a link: the http(s) address to which the service's page sends the shopper back; its page calls `resume`. Default:
   * `publicUrl`.
   */
  returnUrl: v.optional(trimmed(WebUrl)),
  /**
   * The text of the QR code, at most 331 bytes, for bank apps that read one: an EMVCo payload, or a link. `{accountNumber}`,
   * `{reference}` and `{crc}`, the EMVCo checksum of all before it, are filled in. The amount is that of the order: write it yourself.
   * Default: the account details, or the page's `payLink`.
   */
  qrText: v.optional(v.pipe(NonEmptyText, v.maxBytes(maxQrBytes))),
});
export type OrderInput = v.InferInput<typeof OrderRequest>;
export type OrderRequest = v.InferOutput<typeof OrderRequest>;

/** A field of an order that was left out. */
export type IgnoredField = {
  /** `customer.email` */
  field: string;
  /** What it must be. */
  message: string;
};

type Issue = NonNullable<v.SafeParseResult<typeof OrderRequest>['issues']>[number];

/** The keys from the order to the field at fault. */
const pathOf = ({ path }: Issue): string[] => (path ?? []).map(({ key }) => String(key));

const isRequired = (issue: Issue): boolean => ['orderId', 'amount', undefined].includes(pathOf(issue)[0]);

/** Returns a copy without the field, and without the object that it leaves empty. */
function without(value: object, [key = '', ...inner]: readonly string[]): object {
  const { [key]: removed, ...others } = value as Record<string, object>;
  const left = inner.length === 0 ? {} : without(removed ?? {}, inner);
  return Object.keys(left).length === 0 ? others : { ...others, [key]: left };
}

/**
 * Parses an order and fills in its defaults. Leaves out optional fields that are wrong, and unknown ones.
 *
 * @param source who gave the order, for the message
 * @param onIgnored called for each field that is left out
 * @throws {CheckoutError} `invalid_options` for a wrong required field, naming each field at fault
 */
export function parseOrder(
  input: unknown,
  source: string,
  onIgnored: (field: IgnoredField) => void,
): OrderRequest {
  const result = v.safeParse(OrderRequest, input);
  if (result.success) return result.output;
  const { issues } = result;
  if (issues.some(isRequired)) {
    const { text } = describeIssues(issues, 'the order');
    throw new CheckoutError('invalid_options', `${source} is not an order: ${text}.`);
  }
  for (const issue of issues)
    onIgnored({ field: pathOf(issue).join('.'), message: describeIssues([issue], 'the order').text });
  return parseOrder(issues.map(pathOf).reduce(without, input as object), source, onIgnored);
}

/** Returns the text of the QR code, while the whole amount is to be sent to an account. */
export function qrTextOf({ qrText }: OrderRequest, view: PaymentView): { qrText?: string } {
  const { account, reference, paymentReference = reference, chargedAmount } = view;
  if (qrText === undefined || account.number === '' || chargedAmount > 0) return {};
  const filled = qrText
    .replaceAll('{accountNumber}', account.number)
    .replaceAll('{reference}', paymentReference);
  const [before = '', after] = filled.split('{crc}');
  return { qrText: after === undefined ? before : before + crcOf(before) + after };
}

/** CRC-16 with the polynomial 0x1021, from 0xFFFF. */
function crcOf(text: string): string {
  let crc = 0xffff;
  for (const byte of new TextEncoder().encode(text)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = ((crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0)) & 0xffff;
  }
  return crc.toString(16).toUpperCase().padStart(4, '0');
}

/** The part of a browser's request that the merchant's `getOrder` gets. */
export type GetOrderRequest = {
  /** The JSON that the page sent: the widget's `body` option. Anybody can send anything. */
  body: unknown;
  /** Without the header with which the widget names stored payments: `Checkout-Secret`, or `Authorization` from older widgets. Any other `Authorization` is left in place. */
  headers: Headers;
  /**
   * The order of the payment that this browser last used, and whose secret it still has; otherwise left out. It proves that this
   * *browser* once held that order, not who is using it now: two people may share a phone. Return that order only after you have
   * compared it with the signed-in shopper or a signed cookie. With it, a shopper whose cart was emptied by `onPaid` can come back to
   * the finished order.
   */
  storedOrderId?: string;
  /** The shopper's address, as `clientKey` returns it; left out if it is not known. */
  address?: string;
  /** Aborts when the browser has gone. */
  signal: AbortSignal;
};
