import { vi } from 'vitest';
import type { Session } from '../../../src/contract/index.ts';
import { createWiredShop, order } from './wired-shop.ts';

/** A shop whose store counts its reads, with a session, its first view, and the ETag that a browser has of that. */
export async function openedShop(...input: Parameters<typeof createWiredShop>) {
  const shop = createWiredShop(...input);
  const find = vi.spyOn(shop.store, 'find');
  const session = await shop.open();
  shop.clock.advance(5000);
  const first = await shop.get(session);
  const etag = first.headers.get('etag') ?? '';
  const pay = (amount: number = order.amount.value) =>
    shop.sandbox.control.transfer({ accountNumber: session.account.number, amount });
  /** A request of a page that knows the view, with this preference and these headers. */
  const prefer = (
    preference: string,
    { known = etag, one = session as Session, signal = undefined as AbortSignal | undefined } = {},
  ) => shop.get(one, { 'if-none-match': known, prefer: preference }, signal);
  const hold = (more?: Parameters<typeof prefer>[1]) => prefer('wait=25', more);
  const verifications = () => shop.wire.calls.filter((path) => path.endsWith('/verify')).length;
  const reads = () => find.mock.calls.length;
  return { ...shop, session, first, etag, pay, prefer, hold, verifications, reads };
}
