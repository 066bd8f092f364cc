import type { CheckoutLink } from '../../../client/api/checkout-link.ts';
import type { SandboxPayment } from './payment.ts';

/** A hosted checkout. Its payment is created when somebody opens it. */
export type CheckoutLinkRecord = {
  id: string;
  reference: string;
  link: CheckoutLink;
  /** Missing in records of older releases. */
  customer?: SandboxPayment['customer'];
  createdAtMs: number;
};

/** The path of a link's page below the sandbox's address. The id is the secret: anyone with the URL sees the payment. */
export const pagePath = (id: string): string => `/_sandbox/pay/${id}`;
