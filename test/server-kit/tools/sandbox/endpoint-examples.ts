import type { Operation, RequestOfOperation } from '../../../../server-kit/service/endpoints.ts';
import type { Fixtures, Sandbox } from '../../../../server-kit/tools/sandbox/index.ts';
import { individual } from '../../kit/account-requests.ts';
import { goodBody, linkBody } from './sandbox-kit.ts';

const registration = {
  name: 'Till',
  icon: 'https://shop.example/icon.png',
  base64Icon: 'aWNvbg==',
  scheme: 'till',
} as const;

/** One record of each kind, for the endpoints to find. */
export const fixtures: Fixtures = {
  tax_rates: [{ id: 'txr_1', name: 'VAT' }],
  payments: [{ ...goodBody, reference: 'ord_before' }],
  dedicated_accounts: [{ ...individual, consent: { id: 'dac_1' } }],
  payouts: [{ id: 'po_1', amount: 250_000 }],
  invoices: [{ id: 'inv_1', amountDue: 100_000 }],
  apps: [registration],
};

type Example<Op extends Operation> = {
  /** The values of the path's placeholders, in a sandbox with the fixtures. */
  path?: (sandbox: Sandbox) => Readonly<Record<string, string>>;
} & (RequestOfOperation<Op> extends undefined ? { body?: never } : { body: RequestOfOperation<Op> });

const known = (id: string) => () => ({ id });

/** A good call of every endpoint, in a sandbox with the fixtures. The tests of a new endpoint are made from its example. */
export const examples: { readonly [Op in Operation]: Example<Op> } = {
  'dedicatedAccounts.create': { body: individual },
  'dedicatedAccounts.list': {},
  'dedicatedAccounts.retrieve': { path: known('dac_1') },
  'payments.initiate': { body: goodBody },
  'checkout.create': { body: linkBody },
  'payments.retrieve': { path: ({ control }) => ({ id: control.listPayments()[0]?.id ?? '' }) },
  'payments.verify': { path: () => ({ reference: 'ord_before' }) },
  'invoices.cancel': { path: known('inv_1'), body: { cancellationReason: 'Sold out' } },
  'payouts.list': {},
  'payouts.retrieve': { path: known('po_1') },
  'taxRates.list': {},
  'taxRates.retrieve': { path: known('txr_1') },
  'apps.register': { body: { ...registration, bankingType: 'all', iosTeamId: 'TEAM' } },
  'apps.update': {
    path: ({ control }) => ({ id: control.listApps()[0]?.id ?? '' }),
    body: { name: 'Till 2', andriodPackageName: 'example.till' },
  },
};
