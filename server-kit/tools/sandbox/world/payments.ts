import type { AcceptedAmountPolicy } from '../../../service/fields.ts';
import { findOrRefuse } from '../errors.ts';
import type { SandboxPayment } from '../records/payment.ts';
import type { SandboxWorld } from './create-world.ts';

/** The properties in which payments differ. */
type PaymentOrigin = Omit<
  SandboxPayment,
  'id' | 'accessToken' | 'account' | 'createdAtMs' | 'expiresAtMs' | 'confirmationMs' | 'facts' | 'told'
> & {
  /** Default: a new account in the name of the business and the customer. */
  account?: SandboxPayment['account'];
  expiresInSeconds?: number | undefined;
  /** Default: the sandbox's. */
  acceptedAmountPolicy?: AcceptedAmountPolicy;
};

/** Creates a payment that waits for money from now on. The caller stores it. */
export function createPayment(world: SandboxWorld, origin: PaymentOrigin): SandboxPayment {
  const { settings, clock, mint } = world;
  const {
    expiresInSeconds = settings.defaultExpiresInSeconds,
    acceptedAmountPolicy = settings.acceptedAmountPolicy,
    ...rest
  } = origin;
  const createdAtMs = clock.now();
  return {
    ...rest,
    account: origin.account ?? {
      number: mint.accountNumber(),
      name: [settings.businessName, origin.customer?.name].filter(Boolean).join(' / '),
      bankName: settings.bank.name,
    },
    id: mint.id('pay'),
    accessToken: `tok_${mint.token(32)}`,
    createdAtMs,
    expiresAtMs: createdAtMs + Math.round(expiresInSeconds * 1000),
    confirmationMs: settings.confirmationSeconds * 1000,
    facts: [{ kind: 'policy', atMs: createdAtMs, acceptedAmountPolicy }],
    told: { changes: 0, untilMs: createdAtMs },
  };
}

/** @throws {SandboxError} 404 `payment_not_found` */
export function findPayment(payment: SandboxPayment | undefined, what: string): SandboxPayment {
  const message = `No payment has the ${what}; check it, and initiate the payment first.`;
  return findOrRefuse(payment, 'payment_not_found', message);
}
