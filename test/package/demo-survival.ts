import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { PaymentView, Session } from '../../src/contract/index.ts';
import { builtServer, startDemo } from '../setup/demo-process.ts';

export type Env = Record<string, string>;

export async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'demo-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export async function start(env: Env) {
  const demo = await startDemo(builtServer, env);
  onTestFinished(async () => void (await demo.kill()));
  return demo;
}

/** A shopper's browser: it keeps its cart from one process to the next. */
export function createBrowser() {
  let cookie = '';
  return {
    async visit(url: string): Promise<void> {
      const page = await fetch(url, { headers: { cookie } });
      cookie = page.headers.get('set-cookie')?.split(';')[0] ?? cookie;
    },
    open: async (url: string): Promise<Session> =>
      (
        await fetch(`${url}/checkout/sessions`, {
          method: 'POST',
          headers: { cookie, 'content-type': 'application/json' },
          body: '{}',
        })
      ).json(),
    /** Held for as long as nothing changes, where an ETag is given. */
    poll: (url: string, { reference, clientSecret }: Session, etag?: string): Promise<Response> =>
      fetch(`${url}/checkout/sessions/${reference}`, {
        headers: {
          'checkout-secret': clientSecret,
          ...(etag !== undefined && { 'if-none-match': etag, prefer: 'wait=25' }),
        },
      }),
    async wasPaid(url: string): Promise<boolean> {
      const cart = await fetch(`${url}/cart`, { headers: { cookie } });
      return (await cart.json()).wasPaid;
    },
  };
}
type Browser = ReturnType<typeof createBrowser>;

/** Sends the money, and waits until the shop's own handler has noted it. */
async function pay(url: string, browser: Browser, session: Session): Promise<void> {
  await fetch(`${url}/service/_sandbox/transfers`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ accountNumber: session.account.number, amount: session.amount.value }),
  });
  for (let etag: string | undefined; ; ) {
    const response = await browser.poll(url, session, etag);
    const view = response.status === 200 ? ((await response.json()) as PaymentView) : undefined;
    etag = response.headers.get('etag') ?? undefined;
    if (view?.outcome === 'paid') break;
  }
  while (!(await browser.wasPaid(url)));
}

export const sqlite = async (): Promise<Env> => ({
  DATABASE_URL: `file:${join(await newFolder(), 'shop.db')}`,
});
/** What holds on every database that the demo can have. */
export function describeSurvival(makeEnv: () => Promise<Env>): void {
  it('shows the same account after a kill -9, and a paid order as paid', async () => {
    const env = await makeEnv();
    const browser = createBrowser();
    const first = await start(env);
    await browser.visit(first.url);
    const session = await browser.open(first.url);
    expect(session.account.number).toMatch(/^\d{10}$/);
    await first.kill();

    const second = await start(env);
    expect(await browser.open(second.url)).toMatchObject({
      reference: session.reference,
      account: session.account,
      outcome: 'pending',
    });
    expect((await browser.poll(second.url, session)).status).toBe(200);
    await pay(second.url, browser, session);
    await second.kill();

    const third = await start(env);
    expect(await browser.wasPaid(third.url)).toBe(true);
    expect(await browser.open(third.url)).toMatchObject({ reference: session.reference, outcome: 'paid' });
    expect(await third.kill('SIGTERM')).toBe(0);
  });
}
