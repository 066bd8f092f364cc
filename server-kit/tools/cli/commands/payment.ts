import type { Command } from 'commander';
import { parseWebUrl } from '../../../../src/contract/index.ts';
import type { Payment } from '../../../client/api/payment.ts';
import { createPaymentsClient, type PaymentsClient } from '../../../client/client.ts';
import type { PaymentsClientOptions } from '../../../client/client-options.ts';
import { PaymentsError } from '../../../client/errors/payments-error.ts';
import { isLoopback } from '../../../client/http/host-names.ts';
import { sandboxCredentials } from '../../../client/signing/guessable-keys.ts';
import { formatMoney } from '../../operator/format-money.ts';
import {
  addSecretOptions,
  readSecret,
  requireBare,
  type SecretOptions,
  secretVariable,
} from '../signing/secret.ts';
import { CliError, UsageError } from '../terminal/cli-error.ts';
import type { Io } from '../terminal/io.ts';
import { addJsonOption, defaultSandboxUrl, readBaseUrl } from '../terminal/options.ts';
import { createPrinter, toRows } from '../terminal/printer.ts';

type PaymentOptions = SecretOptions & { baseUrl?: string; apiKey?: string; json?: boolean };
type Read = (payments: PaymentsClient['payments'], name: string, signal: AbortSignal) => Promise<Payment>;

export function addPaymentCommands(program: Command, io: Io): void {
  const payment = program.command('payment').description('retrieve or verify a payment at the service');
  addReadCommand(payment, io, {
    name: 'get',
    argument: 'id',
    description: 'Retrieves a payment by its id at the service.',
    read: (payments, id, signal) => payments.retrieve(id, { signal }),
  });
  addReadCommand(payment, io, {
    name: 'verify',
    argument: 'reference',
    description: 'Verifies a payment by your own reference.',
    read: (payments, reference, signal) => payments.verify(reference, { signal }),
  });
}

type ReadCommand = { name: string; argument: string; description: string; read: Read };

function addReadCommand(parent: Command, io: Io, { name, argument, description, read }: ReadCommand): void {
  const command = parent
    .command(name)
    .description(`${description} The access token is never shown.`)
    .argument(`<${argument}>`)
    .option(
      '--base-url <url>',
      `the service (default: PAYMENTS_BASE_URL, or else ${defaultSandboxUrl})`,
      readBaseUrl,
    )
    .option('--api-key <key>', "the API key (default: PAYMENTS_API_KEY, or else the sandbox's)")
    .action((value: string, options: PaymentOptions) => showPayment(value, { read, options, io }));
  addSecretOptions(command);
  addJsonOption(command).addHelpText(
    'after',
    `
Examples:
  $ transfer-checkout payment ${name} ${argument === 'id' ? 'pay_1' : 'ord_1001'}
  $ PAYMENTS_API_SECRET=… transfer-checkout payment ${name} ${argument === 'id' ? 'pay_1' : 'ord_1001'} --base-url https://api.example`,
  );
}

async function showPayment(
  value: string,
  { read, options, io }: { read: Read; options: PaymentOptions; io: Io },
): Promise<void> {
  const connection = readConnection(options, io.env);
  const { fetch, now, wait, random } = io;
  const client = createPaymentsClient({ ...connection, fetch, now, wait, random });
  try {
    const { accessToken: _secret, ...payment } = await read(client.payments, value, io.signal);
    createPrinter(io, options.json).print(payment, toRows(describePayment(payment)));
  } catch (error) {
    if (connection.baseUrl !== defaultSandboxUrl || !isUnreachable(error)) throw error;
    const message = `${error.message} Start a sandbox with "transfer-checkout sandbox", or set PAYMENTS_BASE_URL.`;
    throw new CliError(error.code, message, { cause: error });
  }
}

const isUnreachable = (error: unknown): error is PaymentsError =>
  error instanceof PaymentsError && error.code === 'connection_lost';

/** @throws {UsageError} for an invalid base URL, and for a missing secret of a service on another machine */
function readConnection(
  { baseUrl: given, apiKey: givenKey, ...secretOptions }: PaymentOptions,
  env: Io['env'],
): Pick<PaymentsClientOptions, 'baseUrl' | 'apiKey' | 'apiSecret'> {
  const baseUrl = given ?? env.PAYMENTS_BASE_URL ?? defaultSandboxUrl;
  const url = parseWebUrl(baseUrl);
  if (url === undefined) throw new UsageError('PAYMENTS_BASE_URL must be an http(s) URL.');
  const { secret, isSandboxOwn } = readSecret(secretOptions, env);
  // The sandbox's public secret cannot be the secret of a real service.
  if (isSandboxOwn && !isLoopback(url.hostname)) {
    throw new UsageError(`The API secret for ${baseUrl} is missing; set ${secretVariable}.`);
  }
  const apiKey = givenKey ?? env.PAYMENTS_API_KEY ?? (isSandboxOwn ? sandboxCredentials.apiKey : undefined);
  const keyFrom = givenKey === undefined ? 'PAYMENTS_API_KEY' : 'the command line';
  if (apiKey !== undefined) requireBare('API key', apiKey, keyFrom);
  return { baseUrl, apiKey, apiSecret: secret };
}

function describePayment(payment: Payment): (readonly [string, string | undefined])[] {
  const { currency, metadata } = payment;
  const money = (value: number | null | undefined): string | undefined =>
    value === null || value === undefined ? undefined : formatMoney(value, currency);
  return [
    ['id', payment.id],
    ['reference', payment.reference],
    ['status', payment.status],
    ['expected', money(payment.expectedAmount)],
    ['charged', money(payment.chargedAmount)],
    ['fee', money(payment.fee)],
    ['VAT', money(payment.vat)],
    ['EMTL', money(payment.emtl)],
    ['unreadable', payment.unreadableFees?.join(', ')],
    ['mode', payment.liveMode ? 'live' : 'test'],
    ['policy', payment.acceptedAmountPolicy ?? undefined],
    ['method', payment.paymentMethod ?? undefined],
    ['channel', payment.paymentChannel ?? undefined],
    ['customer', payment.customerId ?? undefined],
    ['receipt to', payment.receiptEmail ?? undefined],
    ['callback URL', payment.callbackUrl ?? undefined],
    ['return URL', payment.returnUrl ?? undefined],
    ['metadata', metadata && Object.keys(metadata).length > 0 ? JSON.stringify(metadata) : undefined],
    ['created', payment.createdAt ?? undefined],
    ['updated', payment.updatedAt],
  ];
}
