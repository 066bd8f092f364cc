import type { SessionRequest } from '../../core/session/session-request.ts';
import type { CheckoutOptions } from '../options/options.ts';

/** A path, or an http(s) URL, without query or escapes. */
const simpleUrl = /^"(https?:\/\/[a-z][a-z\d]*([.-][a-z][a-z\d]*)*(:\d{1,4})?)?(\/[\w~-][\w.~-]*)*\/?"$/;

/** For each option, the JSON values that `checkOptions` is certain to accept. */
const accepted: readonly (readonly [names: RegExp, json: RegExp])[] = [
  [/^(baseUrl|returnUrl|supportUrl|payLink|logo)$/, simpleUrl],
  [/^credentials$/, /^"(same-origin|include|omit)"$/],
  [/^returnAfterSeconds$/, /^([3-9]|[1-9]\d+)$/],
  [/^currencyDisplay$/, /^"(symbol|code)"$/],
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
 * Returns the session request that the widget would send for these options, or undefined when that is not certain. Accepts fewer
 * options than `checkOptions`, and none that it refuses: no account may be created for a checkout that cannot be shown.
 */
export function earlyRequestOf(options: CheckoutOptions): SessionRequest | undefined {
  const { baseUrl = '/checkout', body = {}, credentials } = options;
  try {
    const json: string | undefined = JSON.stringify(body);
    const isAccepted = Object.entries(options).every(
      ([name, value]) =>
        value === undefined ||
        accepted.some(([names, shape]) => names.test(name) && shape.test(JSON.stringify(value))),
    );
    return isAccepted && json !== undefined && baseUrl !== ''
      ? { baseUrl: baseUrl.replace(/\/$/, ''), body: json, credentials }
      : undefined;
  } catch {
    // The widget will report the invalid option.
    return undefined;
  }
}
