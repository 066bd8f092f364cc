import { describe, expect, it } from 'vitest';
import { CheckoutError, type CheckoutErrorCode } from '../../src/contract/index.ts';
import { silenceConsole } from './kit/silence-console.ts';
import { codeOf, refusing } from './kit/wire-faults.ts';
import { createWiredShop, shopUrl } from './kit/wired-shop.ts';

/** A shop with a verified session, and a service that refuses the key from then on. */
async function refusedShop() {
  const shop = createWiredShop();
  const session = await shop.open();
  shop.clock.advance(5000);
  const etag = (await shop.get(session)).headers.get('etag') ?? '';
  shop.wire.intercept = refusing(401);
  shop.clock.advance(5000);
  return { ...shop, session, etag };
}

/** A shop whose `getOrder` throws. */
const shopThatThrows = (error: unknown, options = {}) =>
  createWiredShop({
    getOrder: () => {
      throw error;
    },
    ...options,
  });

describe('the log of a request that fails', () => {
  const rejected = [{ code: 'service_rejected', cause: { code: 'authentication_failed' } }];

  it.each<[string, (shop: Awaited<ReturnType<typeof refusedShop>>) => Promise<Response>, number]>([
    ['although a reload got a response', ({ post }) => post(), 200],
    ['where the browser had nothing yet', ({ get, session }) => get(session), 200],
    ['once if it got the error', ({ get, session, etag }) => get(session, { 'if-none-match': etag }), 502],
  ])('says that the service refuses a verification, %s', async (_when, ask, status) => {
    const shop = await refusedShop();
    expect((await ask(shop)).status).toBe(status);
    expect(shop.errors).toMatchObject(rejected);
  });

  const postUntil = ({ signal }: AbortController) => {
    const headers = { 'content-type': 'application/json' };
    return new Request(`${shopUrl}/checkout/sessions`, { method: 'POST', headers, body: '{}', signal });
  };

  it('says that an account could not be made, also when the browser has gone by then', async () => {
    const gone = new AbortController();
    const { checkout, wire, errors } = createWiredShop();
    wire.intercept = async (path, send) => {
      gone.abort();
      return refusing(401)(path, send);
    };
    await checkout.handler(postUntil(gone));
    expect(errors).toMatchObject(rejected);
  });

  it.each(['network_error', 'invalid_response', 'load_failed', 'invalid_options', 'toString', 'constructor'])(
    'contains a CheckoutError whose code never travels: %s',
    async (code) => {
      const thrown = new CheckoutError(code as CheckoutErrorCode, 'the reason');
      const { post, errors } = shopThatThrows(thrown);
      const response = await post();
      expect(response.status).toBe(500);
      expect(await response.clone().text()).not.toContain('the reason');
      expect(await codeOf(response)).toBe('internal_error');
      expect(errors).toEqual([thrown]);
    },
  );
});

/** As in a bundle that holds the class twice. */
const otherCopy = (code: string, more = {}) =>
  Object.assign(new Error('This cart is not yours.'), { name: 'CheckoutError', code, ...more });

it.each([
  ['forbidden', 403],
  ['not_found', 404],
  ['invalid_request', 400],
])(
  'an error thrown by getOrder gives its status if it is of another copy of CheckoutError: %s',
  async (code, status) => {
    const { post, errors } = shopThatThrows(otherCopy(code));
    const response = await post();
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({ status, code, detail: 'This cart is not yours.' });
    expect(errors).toEqual([]);
  },
);

/** An error as the console gets it. */
const printed = ({ message }: Error) => expect.stringContaining(`Error: ${message}\n    at `);

const failure = new Error('the logger is full');

it.each([
  [
    'at once',
    () => {
      throw failure;
    },
  ],
  ['later', () => Promise.reject(failure)],
])(
  'an onLog that fails itself harms nothing, and is reported to the console, when it fails %s',
  async (_when, onLog) => {
    const spy = silenceConsole();
    const { post } = shopThatThrows(new Error('x'), { onLog });
    expect((await post()).status).toBe(500);
    await expect.poll(() => spy.mock.calls).toEqual([[expect.any(String), printed(failure)]]);
  },
);
