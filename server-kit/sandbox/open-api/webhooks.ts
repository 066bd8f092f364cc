import type * as v from 'valibot';
import { paymentStatuses } from '../../../src/contract/index.ts';
import { DedicatedAccount, dedicatedAccountStatuses } from '../../api/dedicated-account.ts';
import { Invoice, invoiceStatuses } from '../../api/invoice.ts';
import { Payment } from '../../api/payment.ts';
import { Payout, payoutStatuses } from '../../api/payout.ts';
import type { Dialect } from '../../dialect.ts';
import { referTo } from './schemas.ts';

/** What callbacks speak of: the record as a merchant would retrieve it. */
const kinds: Readonly<Record<string, { data: v.GenericSchema; statuses: readonly string[] }>> = {
  payment: { data: Payment, statuses: paymentStatuses },
  payout: { data: Payout, statuses: payoutStatuses },
  invoice: { data: Invoice, statuses: invoiceStatuses },
  dedicated_account: { data: DedicatedAccount, statuses: dedicatedAccountStatuses },
};

const header = (name: string, description: string): object => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
});

/** Section 6: the callbacks, which go to the `callbackUrl` of a record. */
export const createWebhooks = (dialect: Readonly<Dialect>): Record<string, object> =>
  Object.fromEntries(
    Object.entries(kinds).map(([kind, { data, statuses }]) => [
      kind,
      { post: toWebhook(kind, data, statuses, dialect) },
    ]),
  );

function toWebhook(
  kind: string,
  data: v.GenericSchema,
  statuses: readonly string[],
  { callbackEvent, callbackRetries, callbackRetrySeconds, timestampToleranceSeconds }: Readonly<Dialect>,
): object {
  const events = statuses.map((status) =>
    callbackEvent.replaceAll('{record}', kind).replaceAll('{status}', status),
  );
  return {
    operationId: `callbacks.${kind}`,
    tags: ['callbacks'],
    summary: `A ${kind.replace('_', ' ')} has another status`,
    description: 'Sent to the callbackUrl. It is a reason to ask the service, and no evidence by itself.',
    security: [],
    parameters: [
      header(
        'Request-Signature',
        'Hex HMAC-SHA512, with the API secret, of the callback URL, the hex HMAC-SHA512 of the text of data, and the timestamp.',
      ),
      header(
        'Request-Timestamp',
        `UNIX seconds in ten digits. Refuse what is further than ${timestampToleranceSeconds} s from your clock.`,
      ),
    ],
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: {
            type: 'object',
            properties: {
              event: { type: 'string', examples: events, description: 'Not signed. Others may come.' },
              data: referTo(data),
            },
            required: ['event', 'data'],
          },
        },
      },
    },
    responses: {
      '2XX': {
        description: `Received. Any other answer is sent again, ${callbackRetries} times, ${callbackRetrySeconds} s apart.`,
      },
    },
  };
}
