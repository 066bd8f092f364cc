import * as v from 'valibot';
import { convertAmounts, fromWireAmount } from './api/amount-unit.ts';
import { type Endpoint, endpoints, type Operation, type ResponseOf } from './api/endpoints.ts';
import { Payment } from './api/payment.ts';
import type { Dialect } from './dialect.ts';
import { PaymentsError } from './errors.ts';
import { describeIssues } from './issues.ts';
import { refuseLostFees } from './lost-fees.ts';
import type { Answer } from './send-once.ts';

/**
 * The answer as its endpoint describes it, with amounts in minor units. Fields that the interface does not have are
 * kept, and words that it does not have are passed on.
 *
 * @throws {PaymentsError} `invalid_response` for an answer that lacks what others depend on, or has a fee that cannot be read
 *   where what was charged is counted without its fees
 */
export function parseAnswer<Op extends Operation>(
  operation: Op,
  { status, body }: Answer,
  dialect: Readonly<Dialect>,
): ResponseOf<Op> {
  const endpoint: Endpoint = endpoints[operation];
  const result = v.safeParse(endpoint.response, body);
  if (!result.success) {
    const { params, text } = describeIssues(result.issues, 'body');
    const message = `The answer of ${operation} is not what the interface says: ${text}.`;
    throw new PaymentsError('invalid_response', message, { operation, status, params });
  }
  const answer = readAmounts(operation, { status, body: result.output }, dialect);
  if (dialect.chargedAmountBasis === 'net' && endpoint.response === Payment) {
    refuseLostFees(answer as Payment, operation);
  }
  return answer as ResponseOf<Op>;
}

function readAmounts(
  operation: Operation,
  { status, body }: Answer,
  { amountUnit }: Readonly<Dialect>,
): unknown {
  try {
    return convertAmounts(body, endpoints[operation].amounts.response, (amount) =>
      fromWireAmount(amount, amountUnit),
    );
  } catch (cause) {
    const message = `The answer of ${operation} has an amount that does not fit the unit "${amountUnit}" (${(cause as Error).message}); check dialect.amountUnit.`;
    throw new PaymentsError('invalid_response', message, { operation, status, cause });
  }
}
