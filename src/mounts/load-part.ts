import { CheckoutError } from '../contract/index.ts';

/**
 * Loads a part of the checkout that comes later.
 *
 * @throws {CheckoutError} `load_failed`
 */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load();
  } catch (cause) {
    throw new CheckoutError('load_failed', 'A file of the checkout is missing.', { cause });
  }
}
