import type { SessionRequest } from '../../core/session/session-request.ts';
import type { CheckoutOptions } from '../options/options.ts';

/** A path, or an address of a site, of the plainest kind: no query, no escapes. */
const address = /^"(https?:\/\/[a-z][a-z\d]*([.-][a-z][a-z\d]*)*(:\d{1,4})?)?(\/[\w~-][\w.~-]*)*\/?"$/;

/** What is certain to be taken, option by option, as JSON. */
const plain: readonly (readonly [names: RegExp, json: RegExp])[] = [
  [/^(baseUrl|returnUrl|supportUrl|payLink|logo)$/, address],
  [/^credentials$/, /^"(same-origin|include|omit)"$/],
  [/^returnAfterSeconds$/, /^([3-9]|[1-9]\d+)$/],
  [/^supportEmail$/, /^"[\w.+-]+@[\w.-]+"$/],
  [/^locale$/, /^"(auto|[a-z]{2,3}(-[A-Z]{2})?)"$/],
  [/^appearance$/, /^{("theme":"(light|dark|auto)")?,?("density":"(comfortable|compact)")?}$/],
  [/^(body|orderKey|merchantName|text|languages|shareDetails)$/, /^/],
  [
    /^on(Ready|StatusChange|Copied|Sent|Succeeded|PartlyPaid|Expired|ReceivedLate|Failed|Reversed|Error|Close)$/,
    /^/,
  ],
];

/**
 * The request for a session that the widget would make with these options; undefined where that is not certain. It takes fewer options
 * than `checkOptions` does, and none that that refuses: an account must not be made for a checkout that cannot be shown.
 */
export function plainRequestOf(options: CheckoutOptions): SessionRequest | undefined {
  const { baseUrl = '/checkout', body = {}, credentials } = options;
  try {
    const json: string | undefined = JSON.stringify(body);
    const isPlain = Object.entries(options).every(
      ([name, value]) =>
        value === undefined ||
        plain.some(([names, shape]) => names.test(name) && shape.test(JSON.stringify(value))),
    );
    return isPlain && json !== undefined && baseUrl !== ''
      ? { baseUrl: baseUrl.replace(/\/$/, ''), body: json, credentials }
      : undefined;
  } catch {
    // Of another shape, or no JSON: the widget says what is wrong.
    return undefined;
  }
}
