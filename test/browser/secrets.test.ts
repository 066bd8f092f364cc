import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { describe, expect, onTestFinished, vi } from 'vitest';
import { publishedKeys } from '../../server-kit/client/signing/guessable-keys.ts';
import { createCallback } from '../../server-kit/tools/testing/index.ts';
import type { Session } from '../../src/contract/index.ts';
import { projectFolder } from '../setup/demo-process.ts';
import { it } from './browser-test.ts';
import { customer, metadata, recordPage, secretKeys, signIn, startRecordedShop } from './recorded-shop.ts';

/** Where a text was found, so that a failure says which. */
type Found = { where: string; text: string };

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
    const session = sessionOf(shopper);
    return { page, recorded, untilState, session };
  };
  const sessionOf = (shopper: string): Session => {
    const own = exchanges.find((one) => one.shopper === shopper && one.route === 'POST /checkout/sessions');
    return JSON.parse(own?.text.split('\n')[1] ?? '{}') as Session;
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

  const send = (path: string, init: RequestInit = {}) => fetch(`${url}/checkout${path}`, init);
  const json = { 'content-type': 'application/json' };
  const withToken = (token: string) => ({ headers: { ...json, authorization: `Bearer ${token}` } });
  const { reconcileKey } = secretKeys;
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
    // The operator.
    send('/reconcile', { method: 'POST', ...withToken(reconcileKey) }),
    ...['/status', '/dead-letters', '/ready', '/health'].map((path) => send(path, withToken(reconcileKey))),
  ]);
  await shop.settled();
  return { shop, exchanges, log, said, shoppers: { ada, bola } };
}

describe('a journey of two shoppers, their bank, a forger and an operator', () => {
  it('shows no key and no customer to anybody, and each client secret to its own shopper only', async ({
    newShopper,
  }) => {
    const { exchanges, log, said, shoppers } = await recordJourney(newShopper);
    const logged: Found[] = [...log, ...said].map((entry, index) => ({
      where: `log entry ${index}`,
      text: `${inspect(entry, { depth: 20 })}${JSON.stringify(entry)}`,
    }));
    const responded: (Found & { shopper: string | undefined; isSession: boolean })[] = exchanges.map(
      ({ shopper, route, status, text }) => ({
        ...{ where: `${route} ${status} for ${shopper}`, text, shopper },
        isSession: route === 'POST /checkout/sessions' && status < 300,
      }),
    );
    const inPages: (Found & { shopper: string; isStorage: boolean })[] = [];
    for (const [shopper, { recorded }] of Object.entries(shoppers)) {
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

    for (const [shopper, { session }] of Object.entries(shoppers)) {
      const { clientSecret } = session;
      expect(clientSecret).toMatch(/^cs_test_/);
      const others: Found[] = [
        ...logged,
        ...responded.filter((one) => !(one.isSession && one.shopper === shopper)),
        ...inPages.filter((one) => !(one.isStorage && one.shopper === shopper)),
      ];
      expect(placesOf(clientSecret, others)).toEqual([]);
      expect(placesOf(clientSecret)).toContain(`POST /checkout/sessions 201 for ${shopper}`);
    }
  });
});

describe('the built files', () => {
  const filesIn = (folder: string, ends: RegExp): string[] =>
    readdirSync(join(projectFolder, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => ends.test(name))
      .map((name) => join(projectFolder, folder, name));
  const keysIn = (text: string): string[] => text.match(/\b(?:sk|pk|auth)_(?:test|live)_\w+/g) ?? [];

  it('have none of the keys and customers that the tests use, but for the published ones', () => {
    const used = new Set(filesIn('test', /\.tsx?$/).flatMap((file) => keysIn(readFileSync(file, 'utf8'))));
    const secrets = [
      ...used,
      ...Object.values(secretKeys),
      ...Object.values(customer),
      metadata.deliverTo,
    ].filter((key) => !publishedKeys.some((published) => published.includes(key)));
    expect(secrets.length).toBeGreaterThan(20);
    const findings = filesIn('dist', /\.\w+$/).flatMap((file) => {
      const text = readFileSync(file, 'latin1');
      return secrets.filter((key) => text.includes(key)).map((key) => `${file}: ${key}`);
    });
    expect(findings).toEqual([]);
  });
});
