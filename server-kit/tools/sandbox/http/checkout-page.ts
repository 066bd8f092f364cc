import { fromRequest } from '../../../core/http.ts';
import { outcomeOf, viewOf } from '../../../core/payment.ts';
import { createRouter, createSessionRoutes, type PaymentSource } from '../../../core/routes.ts';
import { createClientSecrets } from '../../../core/secrets.ts';
import { findLink, openLink } from '../calls/checkout-links.ts';
import { SandboxError } from '../errors.ts';
import { effectiveMs, paymentAt, type SandboxPayment } from '../records/payment.ts';
import { toIso } from '../state/clock.ts';
import type { SandboxWorld } from '../world/create-world.ts';
import type { JsonResponse } from './responses.ts';

/** Routes for the page of a link. The page shows the checkout's own widget, so that all but the first are those of the core. */
export const pageCalls = {
  describePage: { method: 'GET', path: '/_sandbox/pay/{id}/shop' },
  openPage: { method: 'POST', path: '/_sandbox/pay/{id}/sessions' },
  readPage: { method: 'GET', path: '/_sandbox/pay/{id}/sessions/{reference}' },
} as const;
type PageCall = keyof typeof pageCalls;

/** The shop's data that the page shows. */
export type PageShop = { merchantName: string; returnUrl: string | null };

const pollMs = 1500;
const secretLifetimeSeconds = 37 * 24 * 3600;

/** @throws {SandboxError} as `openLink` does */
export async function respondToPage(
  name: PageCall,
  { id = '' }: Readonly<Record<string, string>>,
  request: Request,
  world: SandboxWorld,
): Promise<JsonResponse> {
  const { settings, clock } = world;
  if (name === 'describePage') {
    const { returnUrl = null } = findLink(world, id).link;
    const shop: PageShop = { merchantName: settings.businessName, returnUrl };
    return { status: 200, body: shop };
  }
  const show = async () => ({ view: toView(openLink(world, id), world), nextPollMs: pollMs });
  const source: PaymentSource = { open: show, read: show };
  const secrets = createClientSecrets([`page of ${settings.apiSecret}`], secretLifetimeSeconds);
  const { now } = clock;
  let failure: unknown;
  const routes = createSessionRoutes({
    source,
    client: { serviceNow: now },
    secrets,
    now,
    wait: settings.wait,
  });
  const { respond } = createRouter(routes, {
    onRefusal: (_refusal, _route, _request, error) => {
      failure = error;
    },
  });
  const { status, headers, body } = await respond(fromRequest(request));
  // The service's own refusals have its envelope, here too.
  if (failure instanceof SandboxError) throw failure;
  return { status, headers, ...(body !== undefined && { body: JSON.parse(body) as unknown }) };
}

function toView(payment: SandboxPayment, { clock }: SandboxWorld) {
  const { reference, account, currency, expectedAmount: value, createdAtMs, expiresAtMs } = payment;
  const { status, chargedAmount, updatedAtMs } = paymentAt(payment, effectiveMs(payment, clock.now()));
  const isPaid = status === 'succeeded' && chargedAmount >= value;
  const opened = {
    reference,
    orderId: reference,
    account,
    amount: { value, currency },
    openedAt: toIso(createdAtMs),
    expiresAt: toIso(expiresAtMs),
    liveMode: false,
  };
  const outcome = isPaid ? 'paid' : outcomeOf(status);
  return viewOf(opened, { status, outcome, chargedAmount, paidAt: isPaid ? toIso(updatedAtMs) : undefined });
}
