import type {
  ClockReading,
  ControlCallback,
  ControlCheckoutLink,
  ControlDedicatedAccount,
  ControlPayment,
  DeliverySwitch,
  Fault,
  LoggedRequest,
  SandboxApp,
  SandboxInvoice,
  SandboxPayout,
  SandboxTaxRate,
  TransferResult,
} from 'transfer-checkout/sandbox';
import { type ControlTransportOptions, createControlTransport } from './control-transport.ts';

const at = (path: string, id: string, rest = ''): string => `${path}/${encodeURIComponent(id)}${rest}`;

/** Creates the sandbox's control calls over HTTP. The sandbox validates their input. They reject as `createControlTransport` does. */
export function createSandboxCalls(options: ControlTransportOptions) {
  const { reader, lister, post, remove } = createControlTransport(options);
  return {
    readClock: reader<ClockReading>('/clock'),
    setClock: (input: object) => post<ClockReading>('/clock', input),
    listPayments: lister<ControlPayment>('/payments'),
    updatePayment: (reference: string, input: object) =>
      post<ControlPayment>(at('/payments', reference), input),
    listCheckoutLinks: lister<ControlCheckoutLink>('/checkout_links'),
    openCheckoutLink: (id: string) => post<ControlPayment>(at('/checkout_links', id, '/open')),
    /** `amount` is in minor units. */
    transfer: (input: { accountNumber: string; amount: number }) => post<TransferResult>('/transfers', input),
    listDedicatedAccounts: lister<ControlDedicatedAccount>('/dedicated_accounts'),
    consentToDedicatedAccount: (code: string, input: object) =>
      post(at('/dedicated_accounts', code, '/consent'), input),
    refuseDedicatedAccount: (code: string) => post(at('/dedicated_accounts', code, '/refusal')),
    updateDedicatedAccount: (code: string, input: object) => post(at('/dedicated_accounts', code), input),
    listPayouts: lister<SandboxPayout>('/payouts'),
    createPayout: (input: object) => post<SandboxPayout>('/payouts', input),
    updatePayout: (id: string, input: object) => post<SandboxPayout>(at('/payouts', id), input),
    listInvoices: lister<SandboxInvoice>('/invoices'),
    createInvoice: (input: object) => post<SandboxInvoice>('/invoices', input),
    updateInvoice: (id: string, input: object) => post<SandboxInvoice>(at('/invoices', id), input),
    payInvoice: (id: string, input: { amount: number }) =>
      post<SandboxInvoice>(at('/invoices', id, '/payments'), input),
    listTaxRates: lister<SandboxTaxRate>('/tax_rates'),
    createTaxRate: (input: object) => post<SandboxTaxRate>('/tax_rates', input),
    listApps: lister<SandboxApp>('/apps'),
    listCallbacks: lister<ControlCallback>('/callbacks'),
    resendCallback: (id: string) => post<ControlCallback>(at('/callbacks', id, '/resend')),
    readCallbackDelivery: reader<DeliverySwitch>('/callback_delivery'),
    setCallbackDelivery: (input: object) => post<DeliverySwitch>('/callback_delivery', input),
    listFaults: lister<Fault>('/faults'),
    addFault: (input: object) => post<Fault>('/faults', input),
    removeFault: (id: string) => remove(at('/faults', id)),
    removeFaults: () => remove('/faults'),
    listRequests: lister<LoggedRequest>('/requests'),
  };
}
export type SandboxCalls = ReturnType<typeof createSandboxCalls>;
