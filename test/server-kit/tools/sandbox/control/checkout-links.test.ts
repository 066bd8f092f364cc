import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import type { AcceptedAmountPolicy } from '../../../../../server-kit/service/fields.ts';
import type { SandboxOptions } from '../../../../../server-kit/tools/sandbox/index.ts';
import {
  contractHeaders,
  type PaymentStatus,
  PaymentView,
  Session,
} from '../../../../../src/contract/index.ts';
import { createLink, goodBody, newSandbox, read, startMs } from '../sandbox-kit.ts';

const hour = 3_600_000;

/** A sandbox on a clock that can be moved, with a link. */
async function openPage(options: SandboxOptions = {}) {
  const clock = { nowMs: startMs };
  const sandbox = newSandbox({ now: () => clock.nowMs, basePath: '/service', ...options });
  const link = await createLink(sandbox, {}, '/service');
  /** Sends a request as the page of the link does. */
  const request = async (path: string, init: RequestInit = {}) =>
    read(await sandbox.fetch(`${link.authorizationUrl}${path}`, init));
  const json = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
  let secret = '';
  const open = async () => {
    const opened = await request('/sessions', json);
    secret = opened.body.clientSecret;
    return opened;
  };
  const retrieve = (headers: Record<string, string> = {}) =>
    request(`/sessions/${link.reference}`, { headers: { 'checkout-secret': secret, ...headers } });
  return { sandbox, link, request, retrieve, clock, open };
}

it('a checkout link that is opened is refused when it has expired', async () => {
  const { sandbox, link, clock } = await openPage();
  clock.nowMs += hour;
  expect(() => sandbox.control.openCheckoutLink(link.id)).toThrow(/has expired/);
  expect(sandbox.control.listPayments()).toEqual([]);
});

type PageStep = {
  waitMs?: number;
  policy?: AcceptedAmountPolicy;
  amount?: number;
  laterMs?: number;
  status?: PaymentStatus;
};

describe('the page of a checkout link', () => {
  it('opens the link and gets a session for the widget', async () => {
    const { open, link, retrieve, clock } = await openPage();
    clock.nowMs += 60_000;
    const { status, body, headers } = await open();
    expect(status).toBe(200);
    expect(v.parse(Session, body)).toMatchObject({
      reference: link.reference,
      clientSecret: expect.stringMatching(/^cs_test_/),
      outcome: 'pending',
      amount: goodBody.amount,
      expiresAt: link.expiresAt,
      account: { name: 'Sandbox Merchant / Ada Obi', bankName: 'Sandbox Bank' },
    });
    expect(headers.get(contractHeaders.serviceTime)).toBe(`${clock.nowMs}`);
    const read = await retrieve();
    expect(v.parse(PaymentView, read.body)).toMatchObject({ status: 'awaiting_charge' });
    expect(read.body.clientSecret).toBeUndefined();
  });

  const due = goodBody.amount.value;
  const paid = { outcome: 'paid', chargedAmount: due, orderId: goodBody.reference };

  it.each([
    [
      'a part of the money',
      { policy: 'ACCEPTED_AMOUNT_POLICY_ALLOW_PARTIAL', amount: 1 },
      { outcome: 'pending', chargedAmount: 1 },
    ],
    ['unconfirmed money', { amount: due }, { status: 'charged', outcome: 'pending', chargedAmount: due }],
    ['money', { amount: due, laterMs: 60_000 }, { ...paid, paidAt: '2026-01-02T09:30:03.000Z' }],
    [
      'too little money, where that is accepted',
      { policy: 'ACCEPTED_AMOUNT_POLICY_ALLOW_ANY', amount: 1, laterMs: 60_000 },
      { status: 'succeeded', outcome: 'amountMismatch', chargedAmount: 1 },
    ],
    ['its expiry', { laterMs: hour }, { status: 'expired', outcome: 'expired', chargedAmount: 0 }],
    [
      'late money',
      { waitMs: hour, amount: due, laterMs: 60_000 },
      { ...paid, paidAt: '2026-01-02T10:30:03.000Z', receivedLate: true },
    ],
    ['a failure', { status: 'failed' }, { status: 'failed', outcome: 'failed', chargedAmount: 0 }],
    [
      'a reversal',
      { amount: due, laterMs: 60_000, status: 'reversed' },
      { status: 'reversed', outcome: 'reversed', chargedAmount: due },
    ],
  ] as const)('shows %s', async (_name, step, expected) => {
    const { waitMs = 0, policy, amount, laterMs = 0, status }: PageStep = step;
    const { open, retrieve, sandbox, link, clock } = await openPage({ confirmationSeconds: 3 });
    const { body } = await open();
    const { control } = sandbox;
    clock.nowMs += waitMs;
    if (policy) control.updatePayment(link.reference, { acceptedAmountPolicy: policy });
    if (amount) control.transfer({ accountNumber: body.account.number, amount });
    clock.nowMs += laterMs;
    if (status) control.updatePayment(link.reference, { status });
    const { clientSecret: _, ...session } = body;
    const { body: view } = await retrieve();
    expect(view).toEqual({ ...session, status: view.status, ...expected });
  });

  it('can be read only with its URL, and opened only from the same site', async () => {
    const { request, link, sandbox, open, retrieve } = await openPage();
    const path = `/sessions/${link.reference}`;
    expect((await request(path)).status).toBe(401);
    const statusWith = async (headers: HeadersInit) => (await request(path, { headers })).status;
    expect(await statusWith({ 'checkout-secret': 'chk_other' })).toBe(401);
    const evil = { method: 'POST', headers: { origin: 'https://evil.example' } };
    expect((await request('/sessions', evil)).status).toBe(403);
    expect(sandbox.control.listPayments()).toEqual([]);
    await open();
    expect((await retrieve()).status).toBe(200);
  });
});
