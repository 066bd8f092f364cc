import { CheckoutError } from '../../src/contract/index.ts';

const defaultChannel = 'transfer_checkout';

/**
 * PostgreSQL cuts longer names without a word, and two shops would share a channel.
 *
 * @throws {CheckoutError} `invalid_options`
 */
export function readChannel(channel = defaultChannel): string {
  if (/^[a-z0-9_]{1,63}$/.test(channel)) return channel;
  const message = `channel: "${channel}" must be 1 to 63 lower-case letters, digits and _, such as ${defaultChannel}.`;
  throw new CheckoutError('invalid_options', message);
}
