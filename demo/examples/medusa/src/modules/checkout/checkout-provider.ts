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
  PaymentProviderInput,
  PaymentProviderOutput,
  RetrievePaymentInput,
  UpdatePaymentInput,
  UpdatePaymentOutput,
  WebhookActionResult,
} from '@medusajs/framework/types';
import { AbstractPaymentProvider } from '@medusajs/framework/utils';
import type { OrderInput } from 'transfer-checkout/server-kit';
import { holdsMoney } from 'transfer-checkout/server-kit/core';
import { type CheckoutData, checkout } from '../../lib/checkout';
import { amountOf, notAllowed, refundRefused } from '../../lib/medusa-payment';

/**
 * A payment provider that says of each session what the checkout knows. The checkout opens the account when the widget asks for it,
 * receives the callbacks, and has Medusa authorise and capture when the money is confirmed.
 */
export class CheckoutProvider extends AbstractPaymentProvider {
  static override identifier = 'checkout';

  /** Public, as Medusa's type of a provider wants it. */
  public constructor(container: Record<string, unknown>) {
    super(container);
  }

  async initiatePayment(input: InitiatePaymentInput): Promise<InitiatePaymentOutput> {
    const data = toData(input.data?.session_id as string, input);
    return { id: data.order.orderId, data };
  }

  /** An order of the checkout has one price: another price is another order. */
  async updatePayment(input: UpdatePaymentInput): Promise<UpdatePaymentOutput> {
    const { session_id, order } = input.data as CheckoutData;
    const data = toData(session_id, input);
    if (data.order.orderId !== order.orderId) await refuseMoney(input, 'change');
    return { data };
  }

  async authorizePayment(input: AuthorizePaymentInput): Promise<AuthorizePaymentOutput> {
    const isPaid = (await retrieve(input))?.outcome === 'paid';
    return { status: isPaid ? 'captured' : 'pending', data: input.data };
  }

  async getPaymentStatus(input: GetPaymentStatusInput): Promise<GetPaymentStatusOutput> {
    return this.authorizePayment(input);
  }

  async capturePayment(input: CapturePaymentInput): Promise<PaymentProviderOutput> {
    if ((await this.authorizePayment(input)).status === 'captured') return { data: input.data };
    throw notAllowed('The transfer is not confirmed, so it cannot be captured.');
  }

  async retrievePayment(input: RetrievePaymentInput): Promise<PaymentProviderOutput> {
    return { data: { ...input.data, payment: await retrieve(input) } };
  }

  async cancelPayment(input: CancelPaymentInput): Promise<PaymentProviderOutput> {
    await refuseMoney(input, 'cancel');
    return { data: input.data };
  }

  async deletePayment(input: DeletePaymentInput): Promise<PaymentProviderOutput> {
    await refuseMoney(input, 'delete');
    return { data: input.data };
  }

  async refundPayment(): Promise<PaymentProviderOutput> {
    throw refundRefused();
  }

  /** The service calls the checkout's own route. */
  async getWebhookActionAndData(): Promise<WebhookActionResult> {
    return { action: 'not_supported' };
  }
}

function toData(sessionId: string, input: InitiatePaymentInput): CheckoutData {
  const amount = amountOf(input) as OrderInput['amount'];
  return { session_id: sessionId, order: { orderId: `${sessionId}-${amount.value}`, amount } };
}

/** Medusa calls `deletePayment` without data when it could not store a new session. */
async function retrieve({ data }: PaymentProviderInput) {
  const { order } = (data ?? {}) as Partial<CheckoutData>;
  return order && checkout.retrievePayment(order.orderId);
}

async function refuseMoney(input: PaymentProviderInput, verb: string): Promise<void> {
  const payment = await retrieve(input);
  if (!payment || !holdsMoney(payment)) return;
  throw notAllowed(`Money has arrived on the transfer ${payment.reference}: you cannot ${verb} it.`);
}
