import {
  contractHeaders,
  type Outcome,
  type PaymentStatus,
  type PaymentView,
  type Session,
} from '../../../../src/contract/index.ts';
import { etagOf, matchesEtag } from '../../../client/http/etag.ts';
import { secretOf } from '../../../client/http/secret-header.ts';
import { equalInConstantTime } from '../../../client/signing/hmac.ts';
import { findLink, openLink } from '../calls/checkout-links.ts';
import { SandboxError } from '../errors.ts';
import { effectiveMs, paymentAt, type SandboxPayment } from '../records/payment.ts';
import { toIso } from '../state/clock.ts';
import type { SandboxWorld } from '../world/world.ts';
import type { JsonResponse } from './responses.ts';

/**
 * Routes for the page of a link. The page shows the checkout's own widget, so that these follow the contract between
 * browser and merchant, without long polls, and with the id of the link as the client secret.
 */
export const pageCalls = {
  describePage: { method: 'GET', path: '/_sandbox/pay/{id}/shop' },
  openPage: { method: 'POST', path: '/_sandbox/pay/{id}/sessions' },
  readPage: { method: 'GET', path: '/_sandbox/pay/{id}/sessions/{reference}' },
} as const;
type PageCall = keyof typeof pageCalls;

/** The shop's data that the page shows. */
export type PageShop = { merchantName: string; returnUrl: string | null };

const pollMs = 1500;

/** @throws {SandboxError} as `openLink` does; 401 `auth_token_invalid` without the client secret */
export async function respondToPage(
  name: PageCall,
  { id = '' }: Readonly<Record<string, string>>,
  { headers }: Request,
  world: SandboxWorld,
): Promise<JsonResponse> {
  const { settings, clock } = world;
  if (name === 'describePage') {
    const { returnUrl = null } = findLink(world, id).link;
    const shop: PageShop = { merchantName: settings.businessName, returnUrl };
    return { status: 200, body: shop };
  }
  if (name === 'readPage') await refuseOthers(headers, id);
  const view = viewOf(openLink(world, id), world);
  const etag = await etagOf(view);
  const responseHeaders = {
    etag,
    [contractHeaders.serviceTime]: `${clock.now()}`,
    [contractHeaders.nextPoll]: `${pollMs}`,
  };
  if (name === 'readPage' && matchesEtag(headers.get('if-none-match') ?? undefined, etag))
    return { status: 304, headers: responseHeaders };
  const session: Session = { ...view, clientSecret: id };
  return { status: 200, headers: responseHeaders, body: name === 'openPage' ? session : view };
}

async function refuseOthers(headers: Headers, id: string): Promise<void> {
  const secret = secretOf({ header: (name) => headers.get(name) ?? undefined });
  if (await equalInConstantTime(secret, id)) return;
  throw new SandboxError('auth_token_invalid', 'The page of a link reads its payment by the id of the link.');
}

function viewOf(payment: SandboxPayment, { clock }: SandboxWorld): PaymentView {
  const { reference, account, currency, expectedAmount, createdAtMs, expiresAtMs } = payment;
  const { status, chargedAmount, updatedAtMs } = paymentAt(payment, effectiveMs(payment, clock.now()));
  const isPaid = status === 'succeeded' && chargedAmount >= expectedAmount;
  return {
    reference,
    account,
    amount: { value: expectedAmount, currency },
    chargedAmount,
    status,
    outcome: isPaid ? 'paid' : unpaidOutcomes[status],
    openedAt: toIso(createdAtMs),
    expiresAt: toIso(expiresAtMs),
    liveMode: false,
    ...(isPaid && { orderId: reference, paidAt: toIso(updatedAtMs) }),
    ...(isPaid && updatedAtMs > expiresAtMs && { receivedLate: true }),
  };
}

const unpaidOutcomes: Readonly<Record<PaymentStatus, Outcome>> = {
  initiated: 'pending',
  awaiting_charge: 'pending',
  charged: 'pending',
  succeeded: 'amountMismatch',
  failed: 'failed',
  expired: 'expired',
  reversed: 'reversed',
};
