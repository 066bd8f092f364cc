import * as v from 'valibot';
import {
  App,
  Callback,
  CallbackDelivery,
  Clock,
  DedicatedAccount,
  Fault,
  Invoice,
  LoggedRequest,
  Payment,
  Payout,
  Refusal,
  TaxRate,
  Transferred,
} from './records.ts';

/** The sandbox has answered, and said no. The message is the sandbox's. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
  /** The fields at fault. */
  readonly params: readonly string[];

  constructor(message: string, params: readonly string[] = []) {
    super(message);
    this.params = params;
  }
}

export type SandboxCallsOptions = {
  /** Where the control calls are: `http://localhost:4242/service/_sandbox`. */
  controlUrl: string;
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
};

const timeoutMs = 10_000;

/**
 * The sandbox's control calls, over HTTP. What they take is checked by the sandbox; what they answer is checked here.
 * They reject with `RefusedError`, with `ValiError` for an answer that cannot be read, or with whatever broke the call.
 */
export function createSandboxCalls({
  controlUrl,
  fetch = (...of) => globalThis.fetch(...of),
}: SandboxCallsOptions) {
  async function askText(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<string> {
    const response = await fetch(controlUrl + path, {
      method,
      signal: AbortSignal.timeout(timeoutMs),
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (response.ok) return text;
    const { message, params } = v.parse(Refusal, JSON.parse(text)).error;
    throw new RefusedError(message, params);
  }

  /** Reads the same answer only once, so that nothing is drawn anew where nothing has changed. */
  function reader<Schema extends v.GenericSchema>(path: string, schema: Schema) {
    let lastText: string | undefined;
    let last: v.InferOutput<Schema>;
    return async (): Promise<v.InferOutput<Schema>> => {
      const text = await askText('GET', path);
      if (text !== lastText) {
        last = v.parse(schema, JSON.parse(text));
        lastText = text;
      }
      return last;
    };
  }

  function list<Schema extends v.GenericSchema>(path: string, schema: Schema) {
    const read = reader(path, v.object({ data: v.array(schema) }));
    return async (): Promise<v.InferOutput<Schema>[]> => (await read()).data;
  }

  const post = async <Schema extends v.GenericSchema>(path: string, schema: Schema, body: object = {}) =>
    v.parse(schema, JSON.parse(await askText('POST', path, body)));
  const at = (path: string, id: string, rest = ''): string => `${path}/${encodeURIComponent(id)}${rest}`;

  return {
    readClock: reader('/clock', Clock),
    setClock: (input: object) => post('/clock', Clock, input),
    listPayments: list('/payments', Payment),
    updatePayment: (reference: string, input: object) => post(at('/payments', reference), Payment, input),
    /** `amount` in minor units. */
    transfer: (input: { accountNumber: string; amount: number }) => post('/transfers', Transferred, input),
    listDedicatedAccounts: list('/dedicated_accounts', DedicatedAccount),
    consentToDedicatedAccount: (code: string, input: object) =>
      post(at('/dedicated_accounts', code, '/consent'), v.unknown(), input),
    refuseDedicatedAccount: (code: string) => post(at('/dedicated_accounts', code, '/refusal'), v.unknown()),
    updateDedicatedAccount: (code: string, input: object) =>
      post(at('/dedicated_accounts', code), v.unknown(), input),
    listPayouts: list('/payouts', Payout),
    createPayout: (input: object) => post('/payouts', Payout, input),
    updatePayout: (id: string, input: object) => post(at('/payouts', id), Payout, input),
    listInvoices: list('/invoices', Invoice),
    createInvoice: (input: object) => post('/invoices', Invoice, input),
    updateInvoice: (id: string, input: object) => post(at('/invoices', id), Invoice, input),
    payInvoice: (id: string, input: { amount: number }) =>
      post(at('/invoices', id, '/payments'), Invoice, input),
    listTaxRates: list('/tax_rates', TaxRate),
    createTaxRate: (input: object) => post('/tax_rates', TaxRate, input),
    listApps: list('/apps', App),
    listCallbacks: list('/callbacks', Callback),
    resendCallback: (id: string) => post(at('/callbacks', id, '/resend'), Callback),
    readCallbackDelivery: reader('/callback_delivery', CallbackDelivery),
    setCallbackDelivery: (input: object) => post('/callback_delivery', CallbackDelivery, input),
    listFaults: list('/faults', Fault),
    addFault: (input: object) => post('/faults', Fault, input),
    removeFault: async (id: string) => void (await askText('DELETE', at('/faults', id))),
    removeFaults: async () => void (await askText('DELETE', '/faults')),
    listRequests: list('/requests', LoggedRequest),
  };
}
export type SandboxCalls = ReturnType<typeof createSandboxCalls>;
