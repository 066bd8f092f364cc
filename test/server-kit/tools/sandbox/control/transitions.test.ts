import { expect, it } from 'vitest';
import type { Sandbox } from '../../../../../server-kit/tools/sandbox/index.ts';
import { individual } from '../../../kit/account-requests.ts';
import { controlCall, expectConflict, goodBody, newSandbox } from '../sandbox-kit.ts';

type Kind = {
  /** The agreed transitions. */
  from: Readonly<Record<string, readonly string[]>>;
  /** What is tried from each status; default: every status. */
  to?: readonly string[];
  /** Creates a record with this status, and returns the path of its update and how its status is read. */
  create: (sandbox: Sandbox, status: never) => { path: string; read: () => string | undefined };
};

/** How a payment is brought to a status, by control calls alone. */
const ways = {
  charged: ['charged'],
  succeeded: ['charged', 'succeeded'],
  failed: ['failed'],
  expired: ['expired'],
  reversed: ['charged', 'succeeded', 'reversed'],
} as const;

const kinds: Readonly<Record<string, Kind>> = {
  payment: {
    from: {
      awaiting_charge: ['charged', 'expired', 'failed'],
      charged: ['succeeded', 'failed'],
      succeeded: ['reversed'],
      expired: ['charged'],
      failed: [],
      reversed: [],
    },
    create({ control }, status: keyof typeof ways) {
      for (const step of ways[status] ?? []) control.updatePayment(goodBody.reference, { status: step });
      return { path: `payments/${goodBody.reference}`, read: () => control.listPayments()[0]?.status };
    },
  },
  payout: {
    from: {
      pending: ['sent', 'cancelled'],
      sent: ['succeeded', 'failed'],
      succeeded: ['reversed'],
      failed: [],
      reversed: [],
      cancelled: [],
    },
    create({ control }, status) {
      const { id } = control.createPayout({ amount: 1, status });
      return { path: `payouts/${id}`, read: () => control.listPayouts()[0]?.status };
    },
  },
  invoice: {
    from: {
      draft: ['open', 'cancelled'],
      open: ['partially_paid', 'paid', 'cancelled'],
      partially_paid: ['paid', 'cancelled'],
      paid: [],
      cancelled: [],
    },
    to: ['open', 'paid', 'cancelled'],
    create({ control }, status: 'draft' | 'partially_paid') {
      const amountPaid = status === 'partially_paid' ? 400 : null;
      const { id } = control.createInvoice({ amountDue: 1000, status, amountPaid });
      return { path: `invoices/${id}`, read: () => control.listInvoices()[0]?.status };
    },
  },
  'dedicated account': {
    from: { active: ['expired', 'no_post_no_debit'], expired: [], no_post_no_debit: [] },
    create({ control }, status) {
      const code = control.listDedicatedAccounts()[0]?.accountRequestCode ?? '';
      control.consentToDedicatedAccount(code, { status });
      const read = () => control.listDedicatedAccounts()[0]?.account?.status;
      return { path: `dedicated_accounts/${code}`, read };
    },
  },
};
const rows = Object.entries(kinds).flatMap(([kind, { from, to = Object.keys(from) }]) =>
  Object.entries(from).flatMap(([start, next]) => to.map((end) => ({ kind, start, next, end }))),
);

it.each(rows)('a control call moves a $kind from $start to $end only if agreed', async (row) => {
  const { kind, start, next, end } = row;
  const sandbox = newSandbox({
    confirmationSeconds: 60,
    fixtures: { payments: [goodBody], dedicated_accounts: [individual] },
  });
  const { path, read } = (kinds[kind] as Kind).create(sandbox, start as never);
  expect(read()).toBe(start);
  const response = await controlCall(sandbox, `/_sandbox/${path}`, { status: end });
  const isAgreed = next.includes(end);
  expect([response.status, read()]).toEqual(isAgreed ? [200, end] : [409, start]);
  if (isAgreed) return;
  expectConflict(response, 'transition_not_allowed', ['status']);
  expect(response.body.error.message).toContain(next.join(' or ') || 'nothing');
});
