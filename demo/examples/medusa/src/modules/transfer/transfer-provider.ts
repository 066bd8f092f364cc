import type {
  AuthorizePaymentInput,
  AuthorizePaymentOutput,
  CancelPaymentInput,
  CapturePaymentInput,
  DeletePaymentInput,
  GetPaymentStatusInput,
  GetPaymentStatusOutput,
  InitiatePaymentInput,
  InitiatePaymentOutput,
  Logger,
  PaymentProviderInput,
  PaymentProviderOutput,
  PaymentSessionStatus,
  ProviderWebhookPayload,
  RetrievePaymentInput,
  UpdatePaymentInput,
  UpdatePaymentOutput,
  WebhookActionResult,
} from '@medusajs/framework/types';
import { AbstractPaymentProvider, BigNumber, MedusaError } from '@medusajs/framework/utils';
import {
  createPaymentsClient,
  holdsMoney,
  isPaid,
  type OpenedPayment,
  openPayment,
  type Payment,
  type PaymentsClient,
  SignatureError,
} from 'transfer-checkout/server-kit/core';
import { toMajorUnits } from 'transfer-checkout/server-kit/service';
import { attentionTo } from '../../lib/attention';
import { amountOf, notAllowed, refundRefused } from '../../lib/medusa-payment';

export type TransferOptions = {
  baseUrl: string;
  apiKey?: string;
  apiSecret: string;
  /** The address of Medusa's route `/hooks/payment/transfer_<id>`, as the service reaches it. */
  callbackUrl: string;
};

/**
 * What this provider keeps in the `data` of a payment session and its payment. Storefronts read it: there is no secret in it, and the
 * account is for the shopper.
 */
export type TransferData = { session_id: string; opened: OpenedPayment };

/**
 * A payment provider for payments by bank transfer. A session opens an account; it is authorised and captured in one step, as soon as
 * the service confirms the full amount, and never before.
 */
export class TransferProvider extends AbstractPaymentProvider<TransferOptions> {
  static override identifier = 'transfer';

  readonly #client: PaymentsClient;
  readonly #callbackUrl: string;
  readonly #logger: Logger;

  constructor(container: { logger: Logger }, { callbackUrl, ...options }: TransferOptions) {
    super(container);
    this.#client = createPaymentsClient(options);
    this.#callbackUrl = callbackUrl;
    this.#logger = container.logger;
  }

  async initiatePayment(input: InitiatePaymentInput): Promise<InitiatePaymentOutput> {
    const sessionId = input.data?.session_id as string;
    const opened = await this.#open(sessionId, input);
    return { id: opened.reference, data: { session_id: sessionId, opened } };
  }

  /** An account is for one amount: a session with another amount gets another account, unless the shopper has paid already. */
  async updatePayment(input: UpdatePaymentInput): Promise<UpdatePaymentOutput> {
    const { session_id, opened } = dataOf(input);
    const { value, currency } = amountOf(input);
    if (opened.amount.value === value && opened.amount.currency === currency) return { data: input.data };
    await this.#refuseMoney(opened, 'change');
    const another = await this.#open(`${session_id}-${Date.now().toString(36)}`, input);
    return { data: { session_id, opened: another } };
  }

  /** `captured` if the service has confirmed the money. Otherwise the session stays pending, because money may come late. */
  async authorizePayment(input: AuthorizePaymentInput): Promise<AuthorizePaymentOutput> {
    const { opened } = dataOf(input);
    return { status: this.#statusOf(opened, await this.#verify(opened)), data: input.data };
  }

  async getPaymentStatus(input: GetPaymentStatusInput): Promise<GetPaymentStatusOutput> {
    return this.authorizePayment(input);
  }

  /** Medusa calls it only for a payment that was authorised and not captured, which this provider never leaves behind. */
  async capturePayment(input: CapturePaymentInput): Promise<PaymentProviderOutput> {
    const { opened } = dataOf(input);
    if (this.#statusOf(opened, await this.#verify(opened)) === 'captured') return { data: input.data };
    throw notAllowed(`The transfer ${opened.reference} is not confirmed, so it cannot be captured.`);
  }

  async retrievePayment(input: RetrievePaymentInput): Promise<PaymentProviderOutput> {
    const { opened } = dataOf(input);
    const { status, chargedAmount, updatedAt } = await this.#verify(opened);
    return { data: { ...input.data, status, charged_amount: chargedAmount, updated_at: updatedAt } };
  }

  /**
   * The service closes no account. A payment without money can be forgotten; one with money cannot be cancelled: Medusa would mark it
   * so when the completion of a cart fails after the payment, and would then never place the order.
   */
  async cancelPayment(input: CancelPaymentInput): Promise<PaymentProviderOutput> {
    await this.#refuseMoney(dataOf(input).opened, 'cancel');
    return { data: input.data };
  }

  /** Medusa deletes the session when the cart changes. */
  async deletePayment(input: DeletePaymentInput): Promise<PaymentProviderOutput> {
    const { opened } = (input.data ?? {}) as Partial<TransferData>;
    if (opened) await this.#refuseMoney(opened, 'delete');
    return { data: input.data };
  }

  async refundPayment(): Promise<PaymentProviderOutput> {
    throw refundRefused();
  }

  /** A callback is a reason to ask the service, and no evidence. `authorizePayment` checks all of it again. */
  async getWebhookActionAndData({
    rawData,
    headers,
  }: ProviderWebhookPayload['payload']): Promise<WebhookActionResult> {
    const reference = await this.#referenceOf(rawData, headers);
    if (reference === undefined) return { action: 'not_supported' };
    const payment = await this.#client.payments.verify(reference);
    const { status, currency, expectedAmount: value } = payment;
    const reason = attentionTo(payment);
    // Your own task for your staff goes here.
    if (reason) this.#logger.error(`The transfer ${reference}: ${reason}: a person must decide.`);
    const amount = new BigNumber(toMajorUnits({ value, currency }));
    const action = status === 'succeeded' ? 'captured' : 'pending';
    return { action, data: { session_id: sessionOf(reference), amount } };
  }

  async #referenceOf(
    rawBody: string | Buffer,
    headers: Record<string, unknown>,
  ): Promise<string | undefined> {
    try {
      const { data } = await this.#client.parseCallback({
        rawBody,
        signature: headers['request-signature'] as string,
        timestamp: headers['request-timestamp'] as string,
        callbackUrl: this.#callbackUrl,
      });
      const { reference } = data;
      return typeof reference === 'string' && reference.startsWith('payses_') ? reference : undefined;
    } catch (error) {
      if (!(error instanceof SignatureError)) throw error;
      this.#logger.warn(`A callback was refused: ${error.message}`);
      return undefined;
    }
  }

  #open(reference: string, input: InitiatePaymentInput): Promise<OpenedPayment> {
    const { customer } = input.context ?? {};
    return openPayment(this.#client, {
      reference,
      amount: amountOf(input),
      callbackUrl: this.#callbackUrl,
      ...(customer && { customer: { email: customer.email, name: nameOf(customer) } }),
    });
  }

  #verify({ reference }: OpenedPayment): Promise<Payment> {
    return this.#client.payments.verify(reference);
  }

  #statusOf(opened: OpenedPayment, payment: Payment): PaymentSessionStatus {
    return isPaid(opened, payment) ? 'captured' : 'pending';
  }

  async #refuseMoney(opened: OpenedPayment, verb: string): Promise<void> {
    if (!holdsMoney(await this.#verify(opened))) return;
    throw notAllowed(`Money has arrived on the transfer ${opened.reference}: you cannot ${verb} it.`);
  }
}

function dataOf({ data }: PaymentProviderInput): TransferData {
  if (data?.opened) return data as TransferData;
  throw new MedusaError(MedusaError.Types.INVALID_DATA, 'The session has no account; initiate it first.');
}

/** The session that a reference was made from. */
export const sessionOf = (reference: string): string => reference.split('-')[0] ?? '';

const nameOf = (customer: { first_name?: string | null; last_name?: string | null; email: string }): string =>
  [customer.first_name, customer.last_name].filter(Boolean).join(' ') || customer.email;
