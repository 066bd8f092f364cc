import type { SessionRequest } from '../../core/session/session-request.ts';
import type { CheckoutOptions } from '../../options/options.ts';
import { validateOptions } from '../../options/validate-options.ts';
import { sessionRequestOf } from '../options/session-request.ts';

/**
 * Returns the session request that the widget will send for these options, or undefined where it will send none: no account may be
 * created for a checkout that cannot be shown, or that has a session.
 */
export function earlyRequestOf(given: CheckoutOptions): SessionRequest | undefined {
  try {
    const options = validateOptions(given);
    return options.session ? undefined : sessionRequestOf(options);
  } catch {
    // The widget reports the invalid option.
    return undefined;
  }
}
