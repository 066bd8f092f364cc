import { type CDPSession, chromium } from 'playwright-core';
import { requireChromium } from '../../setup/browsers.ts';

/** Latency in milliseconds, throughput in kbit/s; the figures of Chromium's own presets. */
export const networks = {
  slow3g: { latency: 400, kbitPerSecond: 400 },
  slow4g: { latency: 150, kbitPerSecond: 1600 },
} as const;

export type Network = keyof typeof networks;

/** What a page does while the shopper waits, in milliseconds. */
export type Waiting = { scriptMs: number; styleMs: number; layoutMs: number };

/**
 * When the account number, the countdown and the button that copies the number had text, in milliseconds from the start of the navigation,
 * and the heap in KB at the end.
 */
export type Visit = { numberMs: number; readyMs: number; copyMs: number; heapKb: number; waiting: Waiting };

type VisitOptions = { network: Network; cpu: number; waitSeconds: number };

const timeoutMs = 60_000;

const args = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'],
  ...['--disable-background-networking', '--disable-component-update'],
];

const selectors = {
  number: '[data-field=accountNumber]',
  countdown: '[data-field=countdown]',
  copy: 'main button, [part=copy]',
};

/** Runs in the page before its own scripts: reports when each element first has text, also inside a shadow root. */
function observeFields(report: string, wanted: typeof selectors): void {
  if (location.pathname === '/warm') return;
  const pending = new Map(Object.entries(wanted));
  const find = (selector: string): Element | null | undefined => {
    const host = document.querySelector('transfer-checkout');
    return document.querySelector(selector) ?? host?.shadowRoot?.querySelector(selector);
  };
  const check = (): void => {
    for (const [field, selector] of pending) {
      if (!find(selector)?.textContent) continue;
      pending.delete(field);
      (window as unknown as Record<string, (text: string) => void>)[report]?.(
        JSON.stringify({ field, ms: performance.now() }),
      );
    }
    if (pending.size > 0) requestAnimationFrame(check);
  };
  requestAnimationFrame(check);
}

async function readMetrics(session: CDPSession): Promise<Waiting> {
  const { metrics } = await session.send('Performance.getMetrics');
  const read = (wanted: string): number => metrics.find(({ name }) => name === wanted)?.value ?? Number.NaN;
  return {
    scriptMs: read('ScriptDuration') * 1000,
    styleMs: read('RecalcStyleDuration') * 1000,
    layoutMs: read('LayoutDuration') * 1000,
  };
}

async function measureWaiting(session: CDPSession, seconds: number): Promise<Waiting> {
  await session.send('Performance.enable');
  const before = await readMetrics(session);
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  const after = await readMetrics(session);
  return {
    scriptMs: after.scriptMs - before.scriptMs,
    styleMs: after.styleMs - before.styleMs,
    layoutMs: after.layoutMs - before.layoutMs,
  };
}

async function measureHeap(session: CDPSession): Promise<number> {
  // The first collection lets go of what finalizers still hold.
  for (let times = 0; times < 2; times++) await session.send('HeapProfiler.collectGarbage');
  return (await session.send('Runtime.getHeapUsage')).usedSize / 1024;
}

export async function openBrowser() {
  const browser = await chromium.launch({ executablePath: requireChromium(), args });

  /** Opens the page in a fresh profile. Talks to the browser directly: Playwright's own scripts would be throttled too. */
  const visit = async (url: string, { network, cpu, waitSeconds }: VisitOptions): Promise<Visit> => {
    const context = await browser.newContext({ viewport: { width: 412, height: 823 }, locale: 'en-US' });
    try {
      const page = await context.newPage();
      const session = await context.newCDPSession(page);
      const errors: string[] = [];
      page.on('pageerror', ({ message }) => errors.push(message));
      page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
      const fields = new Map<string, number>();
      const isReady = new Promise<void>((resolve) => {
        session.on('Runtime.bindingCalled', ({ payload }) => {
          const { field, ms } = JSON.parse(payload) as { field: string; ms: number };
          fields.set(field, ms);
          if (fields.size === Object.keys(selectors).length) resolve();
        });
      });
      await session.send('Page.enable');
      await session.send('Runtime.enable');
      await session.send('Runtime.addBinding', { name: 'reportField' });
      const source = `(${observeFields})('reportField', ${JSON.stringify(selectors)})`;
      await session.send('Page.addScriptToEvaluateOnNewDocument', { source });
      await session.send('Network.enable');
      await session.send('Network.setCacheDisabled', { cacheDisabled: true });
      await page.goto(new URL('/warm', url).href);
      const { latency, kbitPerSecond } = networks[network];
      const throughput = (kbitPerSecond * 1000) / 8;
      await session.send('Network.emulateNetworkConditions', {
        offline: false,
        latency,
        downloadThroughput: throughput,
        uploadThroughput: throughput,
      });
      await session.send('Emulation.setCPUThrottlingRate', { rate: cpu });
      await page.goto(url, { waitUntil: 'commit', timeout: timeoutMs });
      const timedOut = page.waitForTimeout(timeoutMs).then(() => {
        throw new Error(`${url} showed no account. ${errors.join('; ')}`);
      });
      // Closing the page ends the wait too.
      timedOut.catch(() => {});
      await Promise.race([isReady, timedOut]);
      // What the first screen loads and does afterwards is no part of waiting, but of the heap.
      await new Promise((resolve) => setTimeout(resolve, 1500));
      return {
        numberMs: fields.get('number') ?? Number.NaN,
        readyMs: fields.get('countdown') ?? Number.NaN,
        copyMs: fields.get('copy') ?? Number.NaN,
        waiting: await measureWaiting(session, waitSeconds),
        heapKb: await measureHeap(session),
      };
    } finally {
      await context.close();
    }
  };
  return { visit, close: () => browser.close() };
}
