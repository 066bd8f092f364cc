import { createPaymentsClient } from '../../../server-kit/core/client.ts';
import type { PaymentsClientOptions } from '../../../server-kit/core/client-options.ts';
import type { PaymentsError } from '../../../server-kit/core/errors.ts';
import type { Wait } from '../../../server-kit/core/time.ts';
import { createDialect, type DialectChoices } from '../../../server-kit/service/dialect.ts';
import type { Operation } from '../../../server-kit/service/endpoints.ts';
import { serverNow, startFaultServer } from './fault-server.ts';

export const apiSecret = 'sk_test_client';
export const apiKey = 'pk_test_client';
export const authToken = 'auth_test_client';

export type TestClientOptions = Partial<Omit<PaymentsClientOptions, 'dialect'>> & {
  dialect?: DialectChoices | undefined;
};

/** Creates a client whose pauses end at once and are recorded, and whose timeouts end when the test says so. */
export function createTestClient(baseUrl: string, { dialect, ...more }: TestClientOptions = {}) {
  const pauses: number[] = [];
  const timeouts: (() => void)[] = [];
  const timeoutMs = 15_000;
  const wait: Wait = (ms, signal) => {
    if (ms === timeoutMs)
      return new Promise((resolve, reject) => {
        timeouts.push(resolve);
        signal?.addEventListener('abort', () => reject(signal.reason));
      });
    pauses.push(ms);
    return Promise.resolve();
  };
  const client = createPaymentsClient({
    baseUrl,
    apiSecret,
    timeoutMs,
    now: () => serverNow,
    random: () => 0.5,
    wait,
    ...more,
    dialect: dialect && createDialect(dialect),
  });
  return { client, pauses, timeouts };
}

/** Creates a client of a service in this process. `sent` has the URL of each request. */
export function clientOf(
  respond: (url: string) => Response | Promise<Response>,
  options: TestClientOptions = {},
) {
  const sent: string[] = [];
  const fetch = async (input: string | URL | Request): Promise<Response> => {
    sent.push(String(input));
    return respond(String(input));
  };
  const made = createTestClient('https://service.example', { fetch, ...options });
  return { ...made, ...made.client, sent };
}

/** Creates a client of a service that uses the responders one after the other, and then the last one again. */
export async function startClient(
  responders: Parameters<typeof startFaultServer>[0],
  options: TestClientOptions = {},
) {
  const { url, seen } = await startFaultServer(responders);
  return { ...createTestClient(url, options), seen };
}

export const failureOf = (call: PromiseLike<unknown>): Promise<PaymentsError> =>
  Promise.resolve(call).then(
    () => {
      throw new Error('The call succeeded.');
    },
    (error: PaymentsError) => error,
  );

export const payment = {
  id: 'pay_1',
  reference: 'ord_1',
  currency: 'NGN',
  status: 'awaiting_charge',
  expectedAmount: 1250000,
  chargedAmount: 0,
  liveMode: false,
  updatedAt: '2026-03-01T12:00:00.000Z',
};
export const initiation = {
  id: 'pay_1',
  reference: 'ord_1',
  accountName: 'Shop',
  accountNumber: '9990000018',
  bankName: 'Bank',
  amount: { value: 1250000, currency: 'NGN' },
  liveMode: false,
  expiresAt: '2026-03-01T12:30:00.000Z',
};
export const initiationRequest = {
  reference: 'ord_1',
  paymentMethod: 'pay_with_transfer',
  amount: { value: 1250000, currency: 'NGN' },
} as const;

const { paymentMethod: _method, ...linkRequest } = initiationRequest;

export { linkRequest };

export const envelope = (type: string, params: readonly string[] = []) => ({
  error: { type, code: 'its_own_word', message: 'no', params },
});

const { accountName: _, ...leastInitiation } = initiation;
const leastRecords = {
  'dedicatedAccounts.create': { status: 'awaiting_customer_consent', accountRequestCode: 'req_1' },
  'dedicatedAccounts.retrieve': { id: '1' },
  'payments.initiate': leastInitiation,
  'payments.retrieve': payment,
  'payments.verify': payment,
  'checkout.create': { id: 'chk_1', reference: 'ord_1', authorizationUrl: 'https://pay.example/chk_1' },
  'invoices.cancel': { id: '1' },
  'payouts.retrieve': { id: '1' },
  'taxRates.retrieve': { id: '1' },
  'apps.register': { id: '1' },
  'apps.update': { id: '1' },
} satisfies { [Op in Operation]?: object };
export const leastResponses: { [Op in Operation]: object } = {
  ...leastRecords,
  'dedicatedAccounts.list': { hasMore: false, data: [leastRecords['dedicatedAccounts.retrieve']] },
  'payouts.list': { hasMore: false, data: [leastRecords['payouts.retrieve']] },
  'taxRates.list': { hasMore: false, data: [leastRecords['taxRates.retrieve']] },
};
export const appRegistration = {
  name: 'Till',
  icon: 'https://shop.example/icon.png',
  base64Icon: 'aWNvbg==',
  scheme: 'till',
} as const;
