import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../../../server-kit/tools/sandbox/index.ts';
import {
  createSandboxCalls,
  type SandboxCalls,
} from '../../../../../server-kit/tools/sandbox/pages/client/sandbox-calls.ts';
import { initiate, newSandbox, origin } from '../sandbox-kit.ts';

/** Creates the panel's calls over a real sandbox. */
const callsTo = (sandbox: Sandbox): SandboxCalls =>
  createSandboxCalls({ serviceUrl: origin, fetch: (url, init) => sandbox.fetch(url, init) });

describe('the panel’s calls', () => {
  it('return the same list while nothing has changed, so that nothing is rendered again', async () => {
    const sandbox = newSandbox();
    const calls = callsTo(sandbox);
    await initiate(sandbox);
    const before = await calls.listPayments();
    expect(await calls.listPayments()).toBe(before);
    await initiate(sandbox, { reference: 'ord_1002' });
    expect(await calls.listPayments()).toHaveLength(2);
  });

  it('escape ids in a path', async () => {
    const sandbox = newSandbox();
    await initiate(sandbox, { reference: 'ord/1 001?' });
    const payment = await callsTo(sandbox).updatePayment('ord/1 001?', { status: 'failed' });
    expect(payment.status).toBe('failed');
  });

  it('reject a response that is not from a sandbox', async () => {
    const calls = createSandboxCalls({ serviceUrl: origin, fetch: async () => new Response('<html>') });
    await expect(calls.listPayments()).rejects.toThrow(SyntaxError);
  });
});
