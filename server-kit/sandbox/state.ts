import type { CheckoutLink } from '../api/checkout-link.ts';
import { mintAccountNumber, serialCount } from './nuban.ts';
import type { PaymentFact, SandboxPayment } from './sandbox-payment.ts';

/** A hosted checkout that nobody has opened yet. */
export type CheckoutLinkRecord = { link: CheckoutLink; createdAtMs: number };

/** The sandbox's records. All writing goes through `add...`, so that they can be kept elsewhere one day. */
export type SandboxState = {
  addPayment: (record: SandboxPayment) => void;
  addFact: (payment: SandboxPayment, fact: PaymentFact) => SandboxPayment;
  addCheckoutLink: (record: CheckoutLinkRecord) => void;
  /** Newest first. */
  listPayments: () => readonly SandboxPayment[];
  paymentById: (id: string) => SandboxPayment | undefined;
  paymentByReference: (reference: string) => SandboxPayment | undefined;
  paymentByAccountNumber: (accountNumber: string) => SandboxPayment | undefined;
  checkoutLinkByReference: (reference: string) => CheckoutLinkRecord | undefined;
};

export function createState(): SandboxState {
  const payments = new Map<string, SandboxPayment>();
  const idByReference = new Map<string, string>();
  const idByAccountNumber = new Map<string, string>();
  const checkoutLinks = new Map<string, CheckoutLinkRecord>();
  const paymentById = (id: string | undefined) => (id === undefined ? undefined : payments.get(id));
  return {
    addPayment(record) {
      payments.set(record.id, record);
      idByReference.set(record.reference, record.id);
      idByAccountNumber.set(record.account.number, record.id);
    },
    addFact(payment, fact) {
      const record = { ...payment, facts: [...payment.facts, fact] };
      payments.set(record.id, record);
      return record;
    },
    addCheckoutLink(record) {
      checkoutLinks.set(record.link.reference, record);
    },
    listPayments: () => [...payments.values()].reverse(),
    paymentById,
    paymentByReference: (reference) => paymentById(idByReference.get(reference)),
    paymentByAccountNumber: (accountNumber) => paymentById(idByAccountNumber.get(accountNumber)),
    checkoutLinkByReference: (reference) => checkoutLinks.get(reference),
  };
}

/** Makes identifiers and account numbers out of the injected randomness. */
export type Mint = {
  /** `pay_` and the like, with random letters and a number that no other has. */
  id: (prefix: string) => string;
  /** Random-looking text. Nothing is protected by it. */
  token: (length: number) => string;
  /** A valid account number that no payment has. */
  accountNumber: () => string;
};

export function createMint(random: () => number, bankCode: string, state: SandboxState): Mint {
  let minted = 0;
  const token = (length: number): string =>
    Array.from({ length }, () => Math.floor(random() * 36).toString(36)).join('');
  return {
    token,
    id: (prefix) => `${prefix}_${token(16)}${(minted++).toString(36).padStart(4, '0')}`,
    accountNumber() {
      let serial = Math.floor(random() * serialCount);
      for (;;) {
        const candidate = mintAccountNumber(bankCode, serial);
        if (state.paymentByAccountNumber(candidate) === undefined) return candidate;
        serial = (serial + 1) % serialCount;
      }
    },
  };
}
