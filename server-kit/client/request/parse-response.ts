import type * as v from 'valibot';
import { convertAmounts, fromWireAmount } from '../api/amount-unit.ts';
import type { Dialect } from '../api/dialect.ts';
import { type Endpoint, endpoints, type Operation, type ResponseOf } from '../api/endpoints.ts';
import { feesOf, markUnreadableFees } from '../api/fees.ts';
import { Payment } from '../api/payment.ts';
import { parseOrThrow } from '../errors/describe-issues.ts';
import { PaymentsError } from '../errors/payments-error.ts';
import type { SuccessResponse } from './send-once.ts';

type PageSchema = v.GenericSchema & { record: v.GenericSchema; envelope: v.GenericSchema };

const isPage = (schema: v.GenericSchema): schema is PageSchema => 'envelope' in schema;

/** The readable records of a page, and the errors of the others. */
type ReadPage = { data: unknown[]; invalid: PaymentsError[] };

/** What is being parsed. `at` is the prefix of its field names: `data.3.`, or an empty text. */
type Reading = {
  operation: Operation;
  status: number;
  dialect: Readonly<Dialect>;
  schema: v.GenericSchema;
  amounts: readonly string[];
  at: string;
};

/**
 * Parses a response, with amounts in minor units. Unknown fields and unknown enum values are kept. Unreadable fees are
 * listed in `unreadableFees`. A page has its readable records in `data`, and one error for each of the others in `invalid`.
 *
 * @throws {PaymentsError} `invalid_response` for a response without a required field, with an unreadable amount, or with an
 *   unreadable fee that decides what was paid
 */
export function parseResponse<Op extends Operation>(
  operation: Op,
  { status, body }: Pick<SuccessResponse, 'status' | 'body'>,
  dialect: Readonly<Dialect>,
): ResponseOf<Op> {
  const { response, amounts }: Endpoint = endpoints[operation];
  const reading = { operation, status, dialect, schema: response, amounts: amounts.response, at: '' };
  const parsed = isPage(response) ? readPage(reading, response, body) : readRecord(reading, body);
  return parsed as ResponseOf<Op>;
}

function readPage(reading: Reading, { envelope, record }: PageSchema, body: unknown): ReadPage {
  const page = check({ ...reading, schema: envelope }, body) as { data: unknown[] };
  const amounts = reading.amounts.map((field) => field.replace(/^data\./, ''));
  const data: unknown[] = [];
  const invalid: PaymentsError[] = [];
  for (const [index, item] of page.data.entries()) {
    try {
      data.push(readRecord({ ...reading, schema: record, amounts, at: `data.${index}.` }, item));
    } catch (error) {
      if (!(error instanceof PaymentsError)) throw error;
      invalid.push(error);
    }
  }
  return { ...page, data, invalid };
}

function readRecord(reading: Reading, body: unknown): unknown {
  const { operation, schema, dialect } = reading;
  const record = markUnreadableFees(readAmounts(reading, check(reading, body)), feesOf(schema));
  if (dialect.chargedAmountBasis === 'net' && schema === Payment) {
    refuseUnreadableFees(operation, record as Payment);
  }
  return record;
}

/** Without the fee, the paid amount would be too low. Without money, or after a reversal, the amount decides nothing. */
function refuseUnreadableFees(
  operation: Operation,
  { unreadableFees, chargedAmount, status }: Payment,
): void {
  if (unreadableFees === undefined || (chargedAmount ?? 0) <= 0 || status === 'reversed') return;
  const message = `The response to ${operation} has a fee that cannot be read (${unreadableFees.join(', ')}), and dialect.chargedAmountBasis is "net"; check dialect.amountUnit.`;
  throw new PaymentsError('invalid_response', message, { operation, params: unreadableFees });
}

function check({ operation, status, schema, at }: Reading, body: unknown): unknown {
  return parseOrThrow(schema, body, 'body', (text, params) => {
    const where = at === '' ? '' : ` in ${at.slice(0, -1)}`;
    const message = `The response to ${operation} does not match the interface${where}: ${text}.`;
    const paths = params.map((param) => at + param);
    return new PaymentsError('invalid_response', message, { operation, status, params: paths });
  });
}

function readAmounts(
  { operation, status, dialect: { amountUnit }, amounts, at }: Reading,
  body: unknown,
): unknown {
  return amounts.reduce((record, field) => {
    try {
      return convertAmounts(record, [field], (amount) => fromWireAmount(amount, amountUnit));
    } catch (cause) {
      const message = `The response to ${operation} has an amount that does not fit the unit "${amountUnit}" (${at}${(cause as Error).message}); check dialect.amountUnit.`;
      throw new PaymentsError('invalid_response', message, {
        operation,
        status,
        params: [at + field],
        cause,
      });
    }
  }, body);
}
