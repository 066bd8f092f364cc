import * as v from 'valibot';
import { type ControlTransportOptions, createControlTransport } from './control-transport.ts';
import {
  App,
  Callback,
  CallbackDelivery,
  CheckoutLink,
  Clock,
  DedicatedAccount,
  Fault,
  Invoice,
  LoggedRequest,
  Payment,
  Payout,
  TaxRate,
  Transferred,
} from './records.ts';

const at = (path: string, id: string, rest = ''): string => `${path}/${encodeURIComponent(id)}${rest}`;

/**
 * The sandbox's control calls, over HTTP. What they take is checked by the sandbox; what they answer is checked here.
 * They reject as `createControlTransport` says.
 */
export function createSandboxCalls(options: ControlTransportOptions) {
  const { reader, lister, post, remove } = createControlTransport(options);
  return {
    readClock: reader('/clock', Clock),
    setClock: (input: object) => post('/clock', Clock, input),
    listPayments: lister('/payments', Payment),
    updatePayment: (reference: string, input: object) => post(at('/payments', reference), Payment, input),
    listCheckoutLinks: lister('/checkout_links', CheckoutLink),
    openCheckoutLink: (id: string) => post(at('/checkout_links', id, '/open'), Payment),
    /** `amount` in minor units. */
    transfer: (input: { accountNumber: string; amount: number }) => post('/transfers', Transferred, input),
    listDedicatedAccounts: lister('/dedicated_accounts', DedicatedAccount),
    consentToDedicatedAccount: (code: string, input: object) =>
      post(at('/dedicated_accounts', code, '/consent'), v.unknown(), input),
    refuseDedicatedAccount: (code: string) => post(at('/dedicated_accounts', code, '/refusal'), v.unknown()),
    updateDedicatedAccount: (code: string, input: object) =>
      post(at('/dedicated_accounts', code), v.unknown(), input),
    listPayouts: lister('/payouts', Payout),
    createPayout: (input: object) => post('/payouts', Payout, input),
    updatePayout: (id: string, input: object) => post(at('/payouts', id), Payout, input),
    listInvoices: lister('/invoices', Invoice),
    createInvoice: (input: object) => post('/invoices', Invoice, input),
    updateInvoice: (id: string, input: object) => post(at('/invoices', id), Invoice, input),
    payInvoice: (id: string, input: { amount: number }) =>
      post(at('/invoices', id, '/payments'), Invoice, input),
    listTaxRates: lister('/tax_rates', TaxRate),
    createTaxRate: (input: object) => post('/tax_rates', TaxRate, input),
    listApps: lister('/apps', App),
    listCallbacks: lister('/callbacks', Callback),
    resendCallback: (id: string) => post(at('/callbacks', id, '/resend'), Callback),
    readCallbackDelivery: reader('/callback_delivery', CallbackDelivery),
    setCallbackDelivery: (input: object) => post('/callback_delivery', CallbackDelivery, input),
    listFaults: lister('/faults', Fault),
    addFault: (input: object) => post('/faults', Fault, input),
    removeFault: (id: string) => remove(at('/faults', id)),
    removeFaults: () => remove('/faults'),
    listRequests: lister('/requests', LoggedRequest),
  };
}
export type SandboxCalls = ReturnType<typeof createSandboxCalls>;
