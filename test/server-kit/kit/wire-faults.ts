import type { PaymentView, Session } from '../../../src/contract/index.ts';
import { createGate } from './gate.ts';
import { order } from './wired-shop.ts';

export type Intercept = (path: string, send: () => Promise<Response>) => Promise<Response>;

export const down: Intercept = () => Promise.reject(new TypeError('fetch failed'));

export const hanging: Intercept = () => new Promise(() => {});

export const refusing =
  (status: number, headers: Record<string, string> = {}): Intercept =>
  async () =>
    Response.json(
      { error: { type: 'api_error', code: 'its_own_word', message: 'no', params: [] } },
      { status, headers },
    );

export const changing =
  (change: object): Intercept =>
  async (_path, send) =>
    Response.json({ ...((await (await send()).json()) as object), ...change });

/** Lets the calls of one endpoint pass, and the others meet the fault. `verify` is the end of its path. */
export const onlyFor =
  (end: 'verify' | 'payments', fault: Intercept): Intercept =>
  (path, send) =>
    path.endsWith(`/${end}`) ? fault(path, send) : send();

/** Holds the service's responses back. `atService` resolves when the service has done its work. */
export function holdResponses() {
  const [arrived, free] = [createGate(), createGate()];
  const hold: Intercept = async (_path, send) => {
    const response = await send();
    arrived.open();
    await free.opened;
    return response;
  };
  return { hold, atService: arrived.opened, release: free.open };
}

export const changedOrder = { ...order, amount: { value: 999_00, currency: 'NGN' } } as const;

export const readView = async (response: Response | Promise<Response>): Promise<PaymentView> =>
  (await (await response).json()) as PaymentView;
export const readSession = async (response: Response | Promise<Response>): Promise<Session> =>
  (await (await response).json()) as Session;
export const codeOf = async (response: Response | Promise<Response>): Promise<string> =>
  ((await (await response).json()) as { code: string }).code;
