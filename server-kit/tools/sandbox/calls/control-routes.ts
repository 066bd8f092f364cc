import * as v from 'valibot';
import type { SandboxControl } from './registry.ts';

type ControlRoute = { method: 'GET' | 'POST' | 'DELETE'; path: `/_sandbox/${string}` };

/** The route of every control call over HTTP, for the sandbox and for its clients. */
export const controlRoutes: Readonly<Record<keyof SandboxControl, ControlRoute>> = {
  listPayments: { method: 'GET', path: '/_sandbox/payments' },
  updatePayment: { method: 'POST', path: '/_sandbox/payments/{reference}' },
  listCheckoutLinks: { method: 'GET', path: '/_sandbox/checkout_links' },
  openCheckoutLink: { method: 'POST', path: '/_sandbox/checkout_links/{id}/open' },
  transfer: { method: 'POST', path: '/_sandbox/transfers' },
  listDedicatedAccounts: { method: 'GET', path: '/_sandbox/dedicated_accounts' },
  consentToDedicatedAccount: {
    method: 'POST',
    path: '/_sandbox/dedicated_accounts/{accountRequestCode}/consent',
  },
  refuseDedicatedAccount: {
    method: 'POST',
    path: '/_sandbox/dedicated_accounts/{accountRequestCode}/refusal',
  },
  updateDedicatedAccount: { method: 'POST', path: '/_sandbox/dedicated_accounts/{accountRequestCode}' },
  listPayouts: { method: 'GET', path: '/_sandbox/payouts' },
  createPayout: { method: 'POST', path: '/_sandbox/payouts' },
  updatePayout: { method: 'POST', path: '/_sandbox/payouts/{id}' },
  listInvoices: { method: 'GET', path: '/_sandbox/invoices' },
  createInvoice: { method: 'POST', path: '/_sandbox/invoices' },
  updateInvoice: { method: 'POST', path: '/_sandbox/invoices/{id}' },
  payInvoice: { method: 'POST', path: '/_sandbox/invoices/{id}/payments' },
  listTaxRates: { method: 'GET', path: '/_sandbox/tax_rates' },
  createTaxRate: { method: 'POST', path: '/_sandbox/tax_rates' },
  listApps: { method: 'GET', path: '/_sandbox/apps' },
  readClock: { method: 'GET', path: '/_sandbox/clock' },
  setClock: { method: 'POST', path: '/_sandbox/clock' },
  listCallbacks: { method: 'GET', path: '/_sandbox/callbacks' },
  resendCallback: { method: 'POST', path: '/_sandbox/callbacks/{id}/resend' },
  readCallbackDelivery: { method: 'GET', path: '/_sandbox/callback_delivery' },
  setCallbackDelivery: { method: 'POST', path: '/_sandbox/callback_delivery' },
  listFaults: { method: 'GET', path: '/_sandbox/faults' },
  addFault: { method: 'POST', path: '/_sandbox/faults' },
  removeFault: { method: 'DELETE', path: '/_sandbox/faults/{id}' },
  removeFaults: { method: 'DELETE', path: '/_sandbox/faults' },
  listRequests: { method: 'GET', path: '/_sandbox/requests' },
};

type SendCall = (name: keyof SandboxControl, path: string, init: RequestInit) => Promise<unknown>;

/** Creates the control calls of a sandbox over HTTP. `send` returns the response as `controlResult` reads it. */
export function createRemoteCalls(
  send: SendCall,
): Record<keyof SandboxControl, (...args: never[]) => Promise<unknown>> {
  const calls = (Object.entries(controlRoutes) as [keyof SandboxControl, ControlRoute][]).map(
    ([name, route]) => [name, async (...args: unknown[]) => send(name, ...toRequest(route, args))],
  );
  return Object.fromEntries(calls);
}

/** The parameters of the path are the first arguments; the body is the next one. */
function toRequest(
  { method, path }: ControlRoute,
  args: readonly unknown[],
): [path: string, init: RequestInit] {
  const rest = [...args];
  const filled = path.replace(/\{\w+\}/g, () => encodeURIComponent(String(rest.shift())));
  if (method !== 'POST') return [filled, { method }];
  const headers = { 'content-type': 'application/json' };
  return [filled, { method, headers, body: JSON.stringify(rest[0] ?? {}) }];
}

/** An array is sent as `{ data }`. */
const List = v.pipe(
  v.object({ data: v.array(v.unknown()) }),
  v.transform(({ data }) => data),
);

/** Returns the schema of a call's response. Only its form is checked: the client and the sandbox are of one version. */
export const controlResult = (name: keyof SandboxControl) =>
  name.startsWith('list') ? List : v.union([List, v.looseObject({})]);
