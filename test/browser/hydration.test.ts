import { join } from 'node:path';
import { viewOf } from '../core/views.ts';
import { projectFolder } from '../setup/demo-process.ts';
import { it } from './browser-test.ts';
import { bundleScript, openBundled } from './bundled-page.ts';
import { frameworks } from './hydration/frameworks.ts';

/** The server-rendered card has no countdown until its checkout has started. */
const ready = 'awaitingTransfer, with a countdown';

const describe = (cards: Element[]): string[] =>
  cards.map((card) => {
    const countdown = card.querySelector('[data-field="countdown"]')?.textContent;
    return `${(card as HTMLElement).dataset.state}, ${countdown ? 'with a' : 'no'} countdown`;
  });

it.for(Object.entries(frameworks))(
  'a page that %s has rendered on a server hydrates without a complaint after the checkouts have started',
  async ([, load], { expect, newShopper }) => {
    const { render, script } = await load();
    const { renderCheckout } = await import(join(projectFolder, 'dist/render.js'));
    const html: string = await renderCheckout(viewOf(), { nonce: '', baseUrl: '/checkout' });
    const context = await newShopper();
    const code = await bundleScript(script, { folder: join(projectFolder, 'build') });
    const head = '<script src="/package/checkout.js"></script>';
    const body = `<div id="root">${await render(html)}</div>`;

    const { page, requested, complaints } = await openBundled(context, code, { head, body });
    page.on('console', (message) => message.type() === 'warning' && complaints.push(message.text()));
    const shown = page.locator('.card');
    await expect.poll(() => shown.evaluateAll(describe)).toEqual([ready, ready]);
    const cards = await shown.elementHandles();
    await page.evaluate(
      (props) => {
        const { hydrate } = window as unknown as { hydrate: (root: unknown, props: object) => void };
        hydrate(document.querySelector('#root'), props);
      },
      { html },
    );
    await page.getByText('Rendered in the browser').waitFor();

    expect(await Promise.all(cards.map((card) => card.evaluate((one) => one.isConnected)))).toEqual([
      true,
      true,
    ]);
    expect(complaints).toEqual([]);
    expect(requested.filter((url) => url.endsWith('/checkout/sessions')).length).toBeLessThanOrEqual(2);
  },
);
