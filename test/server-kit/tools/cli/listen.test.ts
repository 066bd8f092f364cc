import { describe, expect, it, onTestFinished } from 'vitest';
import { verifyCallback } from '../../../../server-kit/client/signing/callbacks.ts';
import { run } from '../../../../server-kit/tools/cli/run.ts';
import type { Sandbox } from '../../../../server-kit/tools/sandbox/index.ts';
import { freePort } from '../../../setup/reserve-port.ts';
import { dropConnection, respondJson, serverNow, startFaultServer } from '../../kit/fault-server.ts';
import { createTestClock } from '../../kit/test-clock.ts';
import { goodBody, seededRandom } from '../sandbox/sandbox-kit.ts';
import { createTestIo, runCli, startTestSandbox } from './cli-kit.ts';

const pollMs = 500;
const registered = 'https://shop.example/callbacks';

/** A receiver that the sandbox reaches in this process, and that takes everything. */
const taking = { fetch: () => Promise.resolve(new Response()) };

/** Runs `listen`, with a clock that moves on `poll` and by nothing else. */
async function startListening(sandbox: string, forwardTo: string, more: readonly string[] = []) {
  const ending = new AbortController();
  const clock = createTestClock(serverNow);
  const { io, output } = createTestIo({ signal: ending.signal, wait: clock.wait });
  const code = run(['listen', '--sandbox', sandbox, '--forward-to', forwardTo, ...more], io);
  const end = (): Promise<number> => {
    ending.abort();
    return code;
  };
  onTestFinished(() => void end());
  const poll = async (): Promise<void> => {
    clock.advance(pollMs);
    await clock.untilWaiting(pollMs);
  };
  await clock.untilWaiting(pollMs);
  return { output, end, poll, lines: () => output.stdout.split('\n').filter(Boolean) };
}

/** Makes a payout that is sent and succeeds: two callbacks. */
async function payOut({ control, settled }: Sandbox, callbackUrl = registered): Promise<void> {
  const { id } = control.createPayout({ amount: 500, callbackUrl });
  control.updatePayout(id, { status: 'sent' });
  control.updatePayout(id, { status: 'succeeded' });
  await settled();
}

describe('listen', () => {
  it('forwards callbacks with the same bytes and the same signature', async () => {
    const { url, sandbox } = await startTestSandbox(taking);
    const receiver = await startFaultServer([respondJson(200, {})]);
    const listener = await startListening(url, receiver.url);
    await payOut(sandbox);
    await listener.poll();
    expect(receiver.seen.map(({ body }) => JSON.parse(body).event)).toEqual([
      'payout.sent',
      'payout.succeeded',
    ]);
    for (const { body, headers, method } of receiver.seen) {
      expect([method, headers['content-type']]).toEqual(['POST', 'application/json']);
      await verifyCallback({
        rawBody: body,
        callbackUrl: registered,
        signature: String(headers['request-signature']),
        timestamp: String(headers['request-timestamp']),
        secrets: ['sk_test_sandbox'],
        now: serverNow,
      });
    }
    expect(receiver.seen.map(({ body }) => body)).toEqual(
      sandbox.control
        .listCallbacks()
        .map(({ body }) => body)
        .reverse(),
    );
    expect(listener.lines()).toEqual([
      expect.stringMatching(/^12:00:00 {2}payout\.sent +first +200 {2}\d+ ms$/),
      expect.stringMatching(/^12:00:00 {2}payout\.succeeded +first +200 {2}\d+ ms$/),
    ]);
    expect(await listener.end()).toBe(0);
  });

  it('forwards each attempt once, and none from before its start', async () => {
    const { url, sandbox } = await startTestSandbox(taking);
    await payOut(sandbox);
    const receiver = await startFaultServer([respondJson(200, {})]);
    const listener = await startListening(url, receiver.url);
    await listener.poll();
    expect(receiver.seen).toHaveLength(0);
    const [latest] = sandbox.control.listCallbacks();
    sandbox.control.resendCallback(latest?.id ?? '');
    await sandbox.settled();
    await listener.poll();
    await listener.poll();
    expect(receiver.seen).toHaveLength(1);
    expect(listener.lines()).toEqual([expect.stringMatching(/payout\.succeeded +resend +200/)]);
  });

  it('forwards an attempt that failed at the registered URL, too', async () => {
    const { url, sandbox } = await startTestSandbox({
      fetch: () => Promise.reject(new Error('no such host')),
    });
    const receiver = await startFaultServer([respondJson(200, {})]);
    const listener = await startListening(url, receiver.url);
    await payOut(sandbox);
    await listener.poll();
    expect(receiver.seen).toHaveLength(1);
  });

  it.each([
    ['payout.succeeded', ['payout.succeeded']],
    ['payout.*', ['payout.sent', 'payout.succeeded']],
    ['payment.*, payout.sent', ['payout.sent']],
    ['payout', []],
  ])('forwards only the events of --events %s', async (events, expected) => {
    const { url, sandbox } = await startTestSandbox(taking);
    const receiver = await startFaultServer([respondJson(200, {})]);
    const listener = await startListening(url, receiver.url, ['--events', events]);
    await payOut(sandbox);
    await listener.poll();
    expect(receiver.seen.map(({ body }) => JSON.parse(body).event)).toEqual(expected);
  });

  it.each([
    [1_001, 1],
    [999, 0],
  ])('warns when it may have missed callbacks: %i at once', async (count, notes) => {
    const { url, sandbox } = await startTestSandbox(taking);
    const { control, settled } = sandbox;
    await payOut(sandbox);
    const listener = await startListening(url, 'http://localhost:1', ['--events', 'none']);
    for (let number = 0; number < count; number++) {
      const { id } = control.createPayout({ amount: 500, callbackUrl: registered });
      control.updatePayout(id, { status: 'sent' });
    }
    await settled();
    await listener.poll();
    await listener.poll();
    const [latest] = control.listCallbacks();
    control.resendCallback(latest?.id ?? '');
    await settled();
    await listener.poll();
    expect(listener.output.stderr.match(/some may not be forwarded/g) ?? []).toHaveLength(notes);
  });

  it('prints the receiver’s response or failure and continues', async () => {
    const { url, sandbox } = await startTestSandbox(taking);
    const receiver = await startFaultServer([dropConnection, respondJson(500, {})]);
    const listener = await startListening(url, receiver.url, ['--json']);
    await payOut(sandbox);
    await listener.poll();
    expect(listener.lines().map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({
        event: 'payout.sent',
        status: null,
        error: expect.stringContaining('cannot be reached'),
      }),
      expect.objectContaining({
        event: 'payout.succeeded',
        status: 500,
        error: null,
        reason: 'first',
        url: registered,
      }),
    ]);
  });

  it('continues when the sandbox restarts', async () => {
    const port = await freePort();
    const first = await startTestSandbox({ ...taking, port });
    const receiver = await startFaultServer([respondJson(200, {})]);
    const listener = await startListening(first.url, receiver.url);
    await payOut(first.sandbox);
    await listener.poll();
    await first.close();
    await listener.poll();
    await listener.poll();
    expect(listener.output.stderr.match(/cannot be reached.* Trying again\./g)).toHaveLength(1);
    const second = await startTestSandbox({ ...taking, random: seededRandom(2), port });
    await payOut(second.sandbox);
    await listener.poll();
    expect(receiver.seen).toHaveLength(4);
    expect(listener.output.stderr.match(/Listening to/g)).toHaveLength(2);
  });

  it('waits for a sandbox that is not running or not ready', async () => {
    const { url, seen } = await startFaultServer([
      dropConnection,
      respondJson(503, ''),
      respondJson(200, { data: [] }),
    ]);
    const listener = await startListening(url, 'http://localhost:1');
    await listener.poll();
    expect(listener.output.stderr).not.toContain('Listening');
    await listener.poll();
    expect(seen.map(({ method, url: path }) => `${method} ${path}`)).toContain('GET /_sandbox/callbacks');
    expect(listener.output.stderr).toContain(`Listening to ${url}.`);
    expect(await listener.end()).toBe(0);
  });

  it.each([
    ['another page', 200, '<html>'],
    ['other JSON', 200, '{"data":{}}'],
    ['another list', 200, '{"data":[{}]}'],
    ['no such path', 404, '{"error":{}}'],
    ['another base path', 404, '{"error":{"code":"route_not_found"}}'],
  ])('exits with 1 for a server that is not a sandbox: %s', async (_name, status, body) => {
    const { url } = await startFaultServer([respondJson(status, body)]);
    const args = ['listen', '--sandbox', url, '--forward-to', 'http://localhost:1', '--json'];
    const { code, stderr } = await runCli(args);
    expect(code).toBe(1);
    expect(JSON.parse(stderr).error).toMatchObject({
      code: 'no_sandbox',
      message: expect.stringContaining('check the address'),
    });
  });

  it('uses the default port of the sandbox command', async () => {
    const { stdout: listen } = await runCli(['listen', '--help']);
    const { stdout: sandbox } = await runCli(['sandbox', '--help']);
    expect(listen).toContain('"http://localhost:4010"');
    expect(sandbox).toContain('(default: 4010)');
  });

  it('forwards the callbacks of a payment in the sandbox', async () => {
    const { url, sandbox } = await startTestSandbox(taking);
    const receiver = await startFaultServer([respondJson(200, {})]);
    const listener = await startListening(url, receiver.url);
    const body = JSON.stringify({ ...goodBody, callbackUrl: registered });
    const signed = await runCli(['sign', 'request', '--path', '/v1/payments', '--body', body, '--json']);
    const { headers, canonicalBody } = JSON.parse(signed.stdout);
    const response = await fetch(`${url}/v1/payments`, { method: 'POST', headers, body: canonicalBody });
    const { accountNumber } = await response.json();
    sandbox.control.transfer({ accountNumber, amount: 1_250_000 });
    await sandbox.settled();
    await listener.poll();
    const events = receiver.seen.map((request) => JSON.parse(request.body).event);
    expect(events).toEqual(expect.arrayContaining(['payment.charged', 'payment.succeeded']));
  });
});
