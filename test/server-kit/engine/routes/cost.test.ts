import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage } from 'node:http';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { toNodeListener } from '../../../../server-kit/node.ts';
import type { Session } from '../../../../src/contract/index.ts';
import { open } from '../../kit/raw-connection.ts';
import { serve } from '../../kit/serve.ts';
import { openedShop } from './opened-shop.ts';

/** Set while a request of these tests is handled: other tests of the process may still work in the background. */
const isHandling = new AsyncLocalStorage<true>();

/** Counts the AbortControllers and DOMExceptions that requests create from now on. */
function countCreated(): { controllers: number; exceptions: number } {
  const counts = { controllers: 0, exceptions: 0 };
  vi.stubGlobal(
    'AbortController',
    class extends AbortController {
      constructor() {
        super();
        if (isHandling.getStore()) counts.controllers++;
      }
      override abort(reason?: unknown): void {
        // Without a reason of ours, the runtime creates a DOMException, with a stack.
        if (reason === undefined && isHandling.getStore()) counts.exceptions++;
        super.abort(reason);
      }
    },
  );
  onTestFinished(() => void vi.unstubAllGlobals());
  return counts;
}

/** A shop over node:http with a verified session, and what its store and its clock are asked for. */
async function createCountingShop() {
  const shop = await openedShop();
  const { clock, checkout, reads } = shop;
  const closed: Promise<void>[] = [];
  const listener = toNodeListener(checkout);
  const { port } = await serve((request: IncomingMessage, response) => {
    closed.push(new Promise((resolve) => response.once('close', () => resolve())));
    isHandling.run(true, () => listener(request, response));
  });
  // Not fetch, which creates controllers of its own.
  const connection = open(port);
  const read = async ({ reference, clientSecret }: Session, known = '') => {
    const count = closed.length + 1;
    const secret = `Checkout-Secret: ${clientSecret}\r\n`;
    connection.send(`GET /checkout/sessions/${reference} HTTP/1.1\r\nHost: a\r\n${secret}${known}\r\n`);
    await expect.poll(connection.statuses).toHaveLength(count);
    await Promise.all(closed);
    return connection.statuses().at(-1);
  };
  return { ...shop, read, counts: () => ({ reads: reads(), waits: clock.pending() }) };
}

describe('a status response that is not held', () => {
  it.each([
    ['in full', false, 200],
    ['as unchanged', true, 304],
  ])('costs one read of the store, no timer and no AbortController %s', async (_what, isKnown, status) => {
    const { session, etag, read, counts } = await createCountingShop();
    const before = counts();
    const created = countCreated();
    expect(await read(session, isKnown ? `If-None-Match: ${etag}\r\n` : '')).toBe(status);
    expect(counts()).toEqual({ reads: before.reads + 1, waits: before.waits });
    expect(created).toEqual({ controllers: 0, exceptions: 0 });
  });
});
