import * as v from 'valibot';
import { convertAmounts, fromWireAmount } from './api/amount-unit.ts';
import { type Endpoint, endpoints, type Operation, type ResponseOf } from './api/endpoints.ts';
import type { Dialect } from './dialect.ts';
import { PaymentsError } from './errors.ts';
import { describeIssues } from './issues.ts';
import type { Answer } from './send-once.ts';

/**
 * The answer as its endpoint describes it, with amounts in minor units. Fields that the interface does not have are
 * kept, and words that it does not have are passed on.
 *
 * @throws {PaymentsError} `invalid_response` for an answer that lacks what others depend on
 */
export function parseAnswer<Op extends Operation>(
  operation: Op,
  { status, body }: Answer,
  { amountUnit }: Readonly<Dialect>,
): ResponseOf<Op> {
  const endpoint: Endpoint = endpoints[operation];
  const result = v.safeParse(endpoint.response, body);
  if (!result.success) {
    const { params, text } = describeIssues(result.issues, 'body');
    const message = `The answer of ${operation} is not what the interface says: ${text}.`;
    throw new PaymentsError('invalid_response', message, { operation, status, params });
  }
  try {
    return convertAmounts(result.output, endpoint.amounts.response, (amount) =>
      fromWireAmount(amount, amountUnit),
    ) as ResponseOf<Op>;
  } catch (cause) {
    const message = `The answer of ${operation} has an amount that does not fit the unit "${amountUnit}" (${(cause as Error).message}); check dialect.amountUnit.`;
    throw new PaymentsError('invalid_response', message, { operation, status, cause });
  }
}
