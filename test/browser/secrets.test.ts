import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { describe, expect, onTestFinished, vi } from 'vitest';
import { publishedKeys } from '../../server-kit/engine/published-keys.ts';
import { createCallback } from '../../server-kit/tools/testing/index.ts';
import type { Session } from '../../src/contract/index.ts';
import { projectFolder } from '../setup/demo-process.ts';
import { it } from './browser-test.ts';
import {
  customer,
  type Exchange,
  metadata,
  recordPage,
  secretKeys,
  signIn,
  startRecordedShop,
} from './recorded-shop.ts';

/** Where a text was found, so that a failure says which. */
type Found = { where: string; text: string };

/** Whether a response gives a shopper a session or a link, and so its client secret. */
const isSession = ({ route, status }: Exchange): boolean =>
  /^POST \/checkout\/(sessions|links)$/.test(route) && status < 300;

const sessionsOf = (shopper: string, exchanges: readonly Exchange[]): Session[] =>
  exchanges
    .filter((one) => one.shopper === shopper && isSession(one))
    .map(({ text }) => JSON.parse(text.split('\n')[1] ?? '') as Session);

async function recordJourney(newShopper: () => Promise<import('playwright-core').BrowserContext>) {
  const { shop, url, exchanges, log, closeWarehouse } = await startRecordedShop(onTestFinished);
  const said: string[] = [];
  for (const name of ['log', 'info', 'warn', 'error', 'debug'] as const) {
    const spy = vi.spyOn(console, name).mockImplementation((...parts) => void said.push(inspect(parts)));
    onTestFinished(() => spy.mockRestore());
  }
  const visit = async (shopper: string) => {
    const context = await newShopper();
    await signIn(context, url, shopper);
    const page = await context.newPage();
    const recorded = recordPage(page);
    await page.goto(url);
    const untilState = (name: string): Promise<void> =>
      page.locator(`[data-state=${name}]`).first().waitFor();
    await untilState('awaitingTransfer');
    const [session] = sessionsOf(shopper, exchanges);
    if (session === undefined) throw new Error(`${shopper} has no session.`);
    return { page, recorded, untilState, session };
  };
  const ada = await visit('ada');
  const bola = await visit('bola');
  await ada.page.reload();
  await ada.untilState('awaitingTransfer');
  await shop.pay(ada.session);
  await ada.untilState('succeeded');
  await shop.pay(bola.session, { amount: 5000 });
  await bola.untilState('partlyPaid');
  closeWarehouse();
  await shop.pay(bola.session);
  await bola.untilState('succeeded');
  await shop.reverse(ada.session);
  await ada.untilState('reversed');

  const chike = await visit('chike');
  await shop.advance({ minutes: 31 });
  await chike.untilState('expired');
  await chike.page.reload();
  await chike.untilState('expired');
  await chike.page.getByRole('button', { name: /new account/i }).click();
  await chike.untilState('awaitingTransfer');
  await chike.page.reload();
  await chike.untilState('awaitingTransfer');

  const send = (path: string, init: RequestInit = {}) => fetch(`${url}/checkout${path}`, init);
  const json = { 'content-type': 'application/json' };
  const withToken = (token: string) => ({
    headers: { ...json, authorization: `Bearer ${token}`, 'checkout-secret': token },
  });
  const { operatorKey } = secretKeys;
  const forged = await createCallback({
    callbackUrl: `${url}/checkout/callbacks`,
    data: { id: '1', reference: ada.session.reference, customer },
    secret: 'sk_test_forger',
  });
  await Promise.all([
    // Refusals: of strangers, of another shopper's secret, and of what cannot be read.
    send('/sessions', { method: 'POST', headers: json, body: '{}' }),
    send('/sessions', { method: 'POST', headers: json, body: `{"token":"${ada.session.clientSecret}"` }),
    send('/sessions', { method: 'POST', headers: { ...json, cookie: 'shopper=unlucky' }, body: '{}' }),
    send(`/sessions/${ada.session.reference}`, withToken(bola.session.clientSecret)),
    send(`/sessions/${bola.session.reference}`, withToken(`${bola.session.clientSecret}0`)),
    send('/callbacks', { method: 'POST', headers: forged.headers, body: await forged.text() }),
    send('/reconcile', { method: 'POST', ...withToken(ada.session.clientSecret) }),
    // A link that a shopper may pass on.
    send('/links', { method: 'POST', headers: { ...json, cookie: 'shopper=dayo' }, body: '{}' }),
    // The operator.
    send('/reconcile', { method: 'POST', ...withToken(operatorKey) }),
    ...['/status', '/ready', '/health'].map((path) => send(path, withToken(operatorKey))),
  ]);
  await shop.settled();
  return { exchanges, log, said, pages: { ada, bola, chike } };
}

describe('a journey of four shoppers, their bank, a forger and an operator', () => {
  it('shows no key and no customer to anybody, and each client secret to its own shopper only', async ({
    newShopper,
  }) => {
    const { exchanges, log, said, pages } = await recordJourney(newShopper);
    const logged: Found[] = [...log, ...said].map((entry, index) => ({
      where: `log entry ${index}`,
      text: `${inspect(entry, { depth: 20 })}${JSON.stringify(entry)}`,
    }));
    const responded: (Found & { shopper: string | undefined; isSession: boolean })[] = exchanges.map(
      (exchange) => {
        const { shopper, route, status, text } = exchange;
        const where = `${route} ${status} for ${shopper}`;
        return { where, text, shopper, isSession: isSession(exchange) };
      },
    );
    const inPages: (Found & { shopper: string; isStorage: boolean })[] = [];
    for (const [shopper, { recorded }] of Object.entries(pages)) {
      const { markup, stored } = await recorded.shown();
      const add = (what: string, text: string, isStorage = false): void =>
        void inPages.push({ where: `${what} of ${shopper}`, text, shopper, isStorage });
      add('the page', markup);
      add('the storage', stored, true);
      for (const text of [...recorded.requested, ...recorded.addresses]) add('a request', text);
      for (const text of recorded.said) add('the console', text);
    }
    const everything: Found[] = [...logged, ...responded, ...inPages];
    expect(logged.length).toBeGreaterThan(10);
    expect(responded.length).toBeGreaterThan(20);
    const placesOf = (secret: string, places = everything): string[] =>
      places.filter(({ text }) => text.includes(secret)).map(({ where }) => where);

    for (const [name, key] of Object.entries(secretKeys))
      expect({ [name]: placesOf(key) }).toEqual({ [name]: [] });
    for (const text of [customer.email, metadata.deliverTo]) expect(placesOf(text)).toEqual([]);
    // The account's name has that of the customer, and only shoppers see it.
    expect(placesOf(customer.name, logged)).toEqual([]);

    for (const [shopper, count] of Object.entries({ ada: 1, bola: 1, chike: 2, dayo: 1 })) {
      const sessions = sessionsOf(shopper, exchanges);
      const others: Found[] = [
        ...logged,
        ...responded.filter((one) => !(one.isSession && one.shopper === shopper)),
        ...inPages.filter((one) => !(one.isStorage && one.shopper === shopper)),
      ];
      const clientSecrets = new Set(sessions.map(({ clientSecret }) => clientSecret));
      expect(clientSecrets.size).toBe(count);
      for (const clientSecret of clientSecrets) {
        expect(clientSecret).toMatch(/^cs_test_/);
        expect(placesOf(clientSecret, others)).toEqual([]);
      }
      // The address of a link is passed on.
      for (const { authorizationUrl } of sessions) expect(`${authorizationUrl}`).not.toContain('cs_test_');
    }
  });
});

describe('the built files', () => {
  const filesIn = (folder: string, ends: RegExp): string[] =>
    readdirSync(join(projectFolder, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => ends.test(name))
      .map((name) => join(projectFolder, folder, name));
  /** Credentials of the service, and texts as long as a key of a merchant's own, which are no names of headers. */
  const keysIn = (text: string): string[] =>
    text.match(/\b(?:sk|pk|auth)_(?:test|live|fuzz)_\w+|(?<=['"`])(?!access-)[a-z\d!-]{32,60}(?=['"`])/g) ??
    [];

  it('have none of the keys and customers that the tests use, but for the published ones', () => {
    const used = new Set(filesIn('test', /\.tsx?$/).flatMap((file) => keysIn(readFileSync(file, 'utf8'))));
    const secrets = [
      ...used,
      ...Object.values(secretKeys),
      ...Object.values(customer),
      metadata.deliverTo,
    ].filter((key) => !publishedKeys.some((published) => published.includes(key)));
    expect(secrets.length).toBeGreaterThan(30);
    const findings = filesIn('dist', /\.\w+$/).flatMap((file) => {
      const text = readFileSync(file, 'latin1');
      return secrets.filter((key) => text.includes(key)).map((key) => `${file}: ${key}`);
    });
    expect(findings).toEqual([]);
  });
});
