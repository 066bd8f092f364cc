import { describe, expect, it } from 'vitest';
import {
  accountRequestTransitions,
  dedicatedAccountTransitions,
  invoiceTransitions,
  paymentTransitions,
  payoutConfirmationTransitions,
  payoutTransitions,
  type Sandbox,
} from '../../../../../server-kit/tools/sandbox/index.ts';
import { individual } from '../../../kit/account-requests.ts';
import { controlCall, goodBody, newSandbox } from '../sandbox-kit.ts';

/** How a payment is brought to each status, by control calls alone. */
const ways: Readonly<
  Record<string, readonly ('charged' | 'succeeded' | 'failed' | 'expired' | 'reversed')[]>
> = {
  awaiting_charge: [],
  charged: ['charged'],
  succeeded: ['charged', 'succeeded'],
  failed: ['failed'],
  expired: ['expired'],
  reversed: ['charged', 'succeeded', 'reversed'],
};

type Kind = {
  agreed: Readonly<Record<string, readonly string[]>>;
  transitions: Readonly<Record<string, readonly string[]>>;
  /** Those that `to` is tried with; default: every status. */
  to?: readonly string[];
  from?: readonly string[];
  /** Creates a record with this status, and returns the path of its update and how its status is read. */
  create: (sandbox: Sandbox, status: never) => { path: string; read: () => string | undefined };
};

const kinds: Readonly<Record<string, Kind>> = {
  payment: {
    agreed: {
      initiated: ['awaiting_charge', 'expired', 'failed'],
      awaiting_charge: ['charged', 'expired', 'failed'],
      charged: ['succeeded', 'failed'],
      succeeded: ['reversed'],
      expired: ['charged'],
      failed: [],
      reversed: [],
    },
    transitions: paymentTransitions,
    from: Object.keys(ways),
    create({ control }, status) {
      for (const step of ways[status] ?? []) control.updatePayment(goodBody.reference, { status: step });
      return { path: `payments/${goodBody.reference}`, read: () => control.listPayments()[0]?.status };
    },
  },
  payout: {
    agreed: {
      pending: ['sent', 'cancelled'],
      sent: ['succeeded', 'failed'],
      succeeded: ['reversed'],
      failed: [],
      reversed: [],
      cancelled: [],
    },
    transitions: payoutTransitions,
    create({ control }, status) {
      const { id } = control.createPayout({ amount: 1, status });
      return { path: `payouts/${id}`, read: () => control.listPayouts()[0]?.status };
    },
  },
  invoice: {
    agreed: {
      draft: ['open', 'cancelled'],
      open: ['partially_paid', 'paid', 'cancelled'],
      partially_paid: ['paid', 'cancelled'],
      paid: [],
      cancelled: [],
    },
    transitions: invoiceTransitions,
    to: ['open', 'paid', 'cancelled'],
    create({ control }, status: 'draft' | 'partially_paid') {
      const amountPaid = status === 'partially_paid' ? 400 : null;
      const { id } = control.createInvoice({ amountDue: 1000, status, amountPaid });
      return { path: `invoices/${id}`, read: () => control.listInvoices()[0]?.status };
    },
  },
  'dedicated account': {
    agreed: { active: ['expired', 'no_post_no_debit'], expired: [], no_post_no_debit: [] },
    transitions: dedicatedAccountTransitions,
    create({ control }, status) {
      const code = control.listDedicatedAccounts()[0]?.accountRequestCode ?? '';
      control.consentToDedicatedAccount(code, { status });
      return {
        path: `dedicated_accounts/${code}`,
        read: () => control.listDedicatedAccounts()[0]?.account?.status,
      };
    },
  },
};
const rows = Object.entries(kinds).flatMap(([kind, { transitions, from, to }]) =>
  (from ?? Object.keys(transitions)).flatMap((one) =>
    (to ?? Object.keys(transitions)).map((next) => ({ kind, from: one, to: next })),
  ),
);

describe('the transitions', () => {
  it('are the ones agreed on', () => {
    for (const { agreed, transitions } of Object.values(kinds)) expect(transitions).toEqual(agreed);
    const asked = 'awaiting_customer_consent';
    expect(accountRequestTransitions).toEqual({ [asked]: ['active', 'refused'], active: [], refused: [] });
    const pending = ['confirmed', 'rejected'];
    expect(payoutConfirmationTransitions).toEqual({ pending, confirmed: [], rejected: [] });
  });

  it.each(rows)(
    'decide whether a control call moves a $kind from $from to $to',
    async ({ kind, from, to }) => {
      const { create, transitions } = kinds[kind] as Kind;
      const sandbox = newSandbox({
        confirmationSeconds: 60,
        fixtures: { payments: [goodBody], dedicated_accounts: [individual] },
      });
      const { path, read } = create(sandbox, from as never);
      expect(read()).toBe(from);
      const response = await controlCall(sandbox, `/_sandbox/${path}`, { status: to });
      if (transitions[from]?.includes(to)) {
        expect([response.status, read()]).toEqual([200, to]);
        return;
      }
      const { code, params, message } = response.body.error;
      expect([response.status, code, params]).toEqual([409, 'transition_not_allowed', ['status']]);
      expect(message).toContain(transitions[from]?.join(' or ') || 'nothing');
      expect(read()).toBe(from);
    },
  );
});
