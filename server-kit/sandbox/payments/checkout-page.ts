import { contractHeaders, type PaymentView, type Session } from '../../../src/contract/index.ts';
import { mergeObservation } from '../../payments/merge-observation.ts';
import { etagOf, matchesEtag, type OpenedRecord, toPaymentView } from '../../payments/payment-view.ts';
import { equalInConstantTime } from '../../signing/hmac.ts';
import type { Answer } from '../http/responses.ts';
import { SandboxError } from '../http/sandbox-error.ts';
import { toIso } from '../iso.ts';
import type { SandboxWorld } from '../world.ts';
import { foundLink, openLink } from './checkout-links.ts';
import type { SandboxPayment } from './payment.ts';
import { toPayment } from './views.ts';

/** The page of a link, below the sandbox's address. Its id is the secret: whoever has the address sees the payment. */
export const pagePath = (id: string): string => `/_sandbox/pay/${id}`;

/**
 * What the page of a link asks. It shows the checkout's own widget, so that this is the contract between browser and
 * merchant, without held answers, and with the id of the link as the client secret.
 */
export const pageCalls = {
  describePage: { method: 'GET', path: '/_sandbox/pay/{id}/shop' },
  openPage: { method: 'POST', path: '/_sandbox/pay/{id}/sessions' },
  readPage: { method: 'GET', path: '/_sandbox/pay/{id}/sessions/{reference}' },
} as const;
type PageCall = keyof typeof pageCalls;

/** What the page has to know of the shop. */
export type PageShop = { merchantName: string; returnUrl: string | null };

const pollMs = 1500;

/** @throws {SandboxError} as `openLink` does; 401 `auth_token_invalid` for a reader who has not opened it */
export async function answerPageCall(
  name: PageCall,
  { id = '' }: Readonly<Record<string, string>>,
  { headers }: Request,
  world: SandboxWorld,
): Promise<Answer> {
  const { settings, clock } = world;
  if (name === 'describePage') {
    const { returnUrl = null } = foundLink(world, id).link;
    const shop: PageShop = { merchantName: settings.businessName, returnUrl };
    return { status: 200, body: shop };
  }
  if (name === 'readPage') refuseOthers(headers.get('authorization'), id);
  const view = viewOf(openLink(world, id), world);
  const etag = await etagOf(view);
  const answerHeaders = {
    etag,
    [contractHeaders.serviceTime]: `${clock.now()}`,
    [contractHeaders.nextPoll]: `${pollMs}`,
  };
  if (name === 'readPage' && matchesEtag(headers.get('if-none-match') ?? undefined, etag))
    return { status: 304, headers: answerHeaders };
  const session: Session = { ...view, clientSecret: id };
  return { status: 200, headers: answerHeaders, body: name === 'openPage' ? session : view };
}

function refuseOthers(authorization: string | null, id: string): void {
  if (equalInConstantTime(authorization ?? '', `Bearer ${id}`)) return;
  throw new SandboxError('auth_token_invalid', 'The page of a link reads its payment by the id of the link.');
}

/** By the same judgement as a merchant's server. */
function viewOf(payment: SandboxPayment, { clock, settings }: SandboxWorld): PaymentView {
  const { id, reference, account, currency, expectedAmount, createdAtMs, expiresAtMs } = payment;
  const openedAt = toIso(createdAtMs);
  const record: OpenedRecord = {
    reference,
    orderId: reference,
    attempt: 1,
    createdAt: openedAt,
    version: 1,
    amount: { value: expectedAmount, currency },
    opened: { paymentId: id, account, openedAt, expiresAt: toIso(expiresAtMs), liveMode: false },
    observed: null,
    outcome: 'pending',
  };
  const { record: seen } = mergeObservation(record, toPayment(payment, clock.now()), settings.dialect);
  return toPaymentView({ ...seen, opened: record.opened });
}
