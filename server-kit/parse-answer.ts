import * as v from 'valibot';
import { convertAmounts, fromWireAmount } from './api/amount-unit.ts';
import { type Endpoint, endpoints, type Operation, type ResponseOf } from './api/endpoints.ts';
import { Payment, paymentFees } from './api/payment.ts';
import type { Dialect } from './dialect.ts';
import { PaymentsError } from './errors.ts';
import { describeIssues } from './issues.ts';
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
  const answer = readAmounts(operation, status, result.output, dialect);
  if (dialect.chargedAmountBasis === 'net' && endpoint.response === Payment) {
    refuseLostFees(operation, status, body, answer);
  }
  return answer as ResponseOf<Op>;
}

function readAmounts(
  operation: Operation,
  status: number,
  answer: unknown,
  { amountUnit }: Readonly<Dialect>,
): unknown {
  try {
    return convertAmounts(answer, endpoints[operation].amounts.response, (amount) =>
      fromWireAmount(amount, amountUnit),
    );
  } catch (cause) {
    const message = `The answer of ${operation} has an amount that does not fit the unit "${amountUnit}" (${(cause as Error).message}); check dialect.amountUnit.`;
    throw new PaymentsError('invalid_response', message, { operation, status, cause });
  }
}

/** A fee that is passed over would make too little of what was paid, where fees have to be added to it. */
function refuseLostFees(operation: Operation, status: number, body: unknown, payment: unknown): void {
  const [said, read] = [body, payment] as Record<string, unknown>[];
  const lost = paymentFees.filter(
    (fee) => (said?.[fee] ?? undefined) !== undefined && read?.[fee] === undefined,
  );
  if (lost.length === 0) return;
  const message = `The answer of ${operation} has a fee that cannot be read (${lost.join(', ')}), and dialect.chargedAmountBasis is "net"; check dialect.amountUnit.`;
  throw new PaymentsError('invalid_response', message, { operation, status, params: lost });
}
