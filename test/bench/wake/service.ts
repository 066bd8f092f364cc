import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toTimestamp } from '../../../server-kit/core/signature.ts';
import { sandboxCredentials } from '../../../server-kit/engine/published-keys.ts';
import { signCallback, verifyRequest } from '../../../server-kit/service/signatures.ts';

type Payment = {
  id: string;
  reference: string;
  amount: number;
  callbackUrl: string;
  isPaid: boolean;
  updatedAt: string;
};

/** A payments service over real HTTP, with real signatures, that takes 20 ms for each request. */
export type Service = {
  url: string;
  /** Money comes; resolves when the callback was sent. */
  pay: (reference: string) => Promise<void>;
  close: () => Promise<void>;
};

const responseMs = 20;
const { apiSecret } = sandboxCredentials;

export async function startService(): Promise<Service> {
  const payments = new Map<string, Payment>();
  const respond = (response: ServerResponse, status: number, body: object): void =>
    void setTimeout(() => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    }, responseMs);

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const bodyText = await readText(request);
    const path = request.url ?? '';
    await verifyRequest({
      path,
      bodyText: bodyText || undefined,
      secrets: [apiSecret],
      now: Date.now(),
      signature: request.headers['request-signature'] as string,
      timestamp: request.headers['request-timestamp'] as string,
    });
    if (request.method === 'POST')
      return respond(response, 201, open(payments, JSON.parse(bodyText) as Initiation));
    const reference = /^\/v1\/payments\/([^/]+)\/verify$/.exec(path)?.[1] ?? '';
    const payment = payments.get(reference);
    if (payment === undefined) return respond(response, 404, refusal);
    respond(response, 200, viewOf(payment));
  };

  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.writeHead(401).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async pay(reference) {
      const payment = payments.get(reference);
      if (payment === undefined) throw new Error(`There is no payment ${reference}.`);
      Object.assign(payment, { isPaid: true, updatedAt: new Date().toISOString() });
      await callBack(payment);
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const refusal = { error: { type: 'api_error', code: 'refused', message: 'Refused.', params: [] } };

type Initiation = { reference: string; amount: { value: number; currency: string }; callbackUrl: string };

function open(payments: Map<string, Payment>, { reference, amount, callbackUrl }: Initiation): object {
  const id = `pay_${payments.size + 1}`;
  const updatedAt = new Date().toISOString();
  payments.set(reference, { id, reference, amount: amount.value, callbackUrl, isPaid: false, updatedAt });
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
  const account = { accountName: 'Shop', accountNumber: '0000014579', bankName: 'Bank' };
  return { id, reference, ...account, amount, liveMode: false, expiresAt };
}

const viewOf = ({ id, reference, amount, isPaid, updatedAt }: Payment) => ({
  id,
  reference,
  currency: 'NGN',
  status: isPaid ? 'succeeded' : 'initiated',
  liveMode: false,
  expectedAmount: amount,
  chargedAmount: isPaid ? amount : 0,
  updatedAt,
});

async function callBack(payment: Payment): Promise<void> {
  const { callbackUrl } = payment;
  const rawBody = JSON.stringify({ event: 'payment.succeeded', data: viewOf(payment) });
  const timestamp = toTimestamp(Date.now());
  const signature = await signCallback({ secret: apiSecret, callbackUrl, rawBody, timestamp });
  const headers = {
    'content-type': 'application/json',
    'request-signature': signature,
    'request-timestamp': timestamp,
  };
  const response = await fetch(callbackUrl, { method: 'POST', headers, body: rawBody });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`The callback got ${response.status}.`);
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
