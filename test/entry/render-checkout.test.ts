import { describe, expect, it } from 'vitest';
import manifest from '../../package.json';
import { checkoutStyles, type RenderOptions, renderCheckout } from '../../src/entry/render-checkout.tsx';
import { clientSecret, sessionOf } from '../core/views.ts';

const stylesheet = '/assets/checkout.css';
const render = (options: Partial<RenderOptions> = {}, session = sessionOf()) =>
  renderCheckout(session, { stylesheet, ...options });

/** Parses the HTML like a browser: the element, and its template's content. */
async function parse(...input: Parameters<typeof render>) {
  const html = await render(...input);
  const page = document.createElement('div');
  page.innerHTML = html;
  const element = page.querySelector('transfer-checkout') as HTMLElement;
  const template = element.querySelector('template') as HTMLTemplateElement;
  const inner = document.createElement('div');
  inner.innerHTML = template.innerHTML;
  return { html, element, inner, text: inner.textContent ?? '' };
}

const stateIn = (inner: Element) => inner.querySelector('.card')?.getAttribute('data-state');

const hostile = `"><img src=x onerror=alert(1)>'</template></transfer-checkout><script>alert(1)</script>&amp;`;

describe('renderCheckout', () => {
  it('contains the readable account details', async () => {
    const { inner, text } = await parse({ merchantName: 'Kola’s' });
    const { account, reference } = sessionOf();
    const field = (name: string) => inner.querySelector(`[data-field="${name}"]`)?.textContent;
    expect(field('accountNumber')?.replace(/\s/g, '')).toBe(account.number);
    expect([field('bankName'), field('accountName'), field('reference')]).toEqual([
      account.bankName,
      account.name,
      reference,
    ]);
    expect(text).toContain('Kola’s');
    expect(stateIn(inner)).toBe('awaitingTransfer');
    expect(inner.querySelector('link')?.getAttribute('href')).toBe(stylesheet);
  });

  it('is a declarative shadow root, with plain text for browsers that do not support it', async () => {
    const { html, element } = await parse();
    expect(html).toMatch(/^<transfer-checkout[^>]*><template shadowrootmode="open">/);
    expect(element.querySelector(':scope > p')?.textContent).toContain(sessionOf().account.number);
  });

  it('contains neither the client secret nor anything else outside the view', async () => {
    const html = await render({}, { ...sessionOf(), orderId: 'order-7' } as never);
    expect(html).not.toContain(clientSecret);
    expect(html).not.toContain('order-7');
  });

  it('contains no script, inline style or handler', async () => {
    const { html, inner } = await parse({ logo: '/logo.svg', supportEmail: 'help@shop.example' });
    expect(html).not.toMatch(/<script|<style|\sstyle=|\son\w+=|javascript:/i);
    expect(inner.querySelectorAll('button').length).toBeGreaterThan(1);
  });

  it('can contain its styles with the page’s nonce', async () => {
    const { html, inner } = await parse({ stylesheet: undefined, nonce: 'a"b' });
    expect(inner.querySelector('link')).toBeNull();
    expect(inner.querySelector('style')?.textContent).toBe(checkoutStyles);
    expect(inner.querySelector('style')?.getAttribute('nonce')).toBe('a"b');
    expect(html.match(/<style/g)).toHaveLength(1);
    expect(html).not.toMatch(/\sstyle=/);
    await expect(render({ stylesheet: undefined })).rejects.toMatchObject({ code: 'invalid_options' });
  });

  it('preloads the widget when the script’s URL is given', async () => {
    const widget = `checkout-widget-${manifest.version}.js`;
    const preloadOf = async (script: string) =>
      /^<link rel="modulepreload" [^>]+>/.exec(await render({ script }))?.[0];
    expect(await preloadOf('/assets/checkout.js')).toBe(
      `<link rel="modulepreload" href="/assets/${widget}"/>`,
    );
    expect(await preloadOf('https://cdn.example/v1/checkout.js')).toBe(
      `<link rel="modulepreload" href="https://cdn.example/v1/${widget}" crossorigin="anonymous"/>`,
    );
    await expect(render({ script: 'javascript:x' })).rejects.toMatchObject({ code: 'invalid_options' });
  });

  it('says without scripts until when to pay, with the time zone, and what to do', async () => {
    const { inner } = await parse({ timeZone: 'Africa/Lagos' });
    expect(inner.querySelector('noscript')?.textContent).toMatch(
      /Pay by 1 Mar 2026, 13:30 GMT\+1\. Reload this page/,
    );
  });

  it('escapes every value of the shop, the order and the service', async () => {
    const session = sessionOf({
      account: { number: hostile, name: hostile, bankName: hostile },
      reference: hostile,
    });
    const named = { merchantName: hostile, orderKey: hostile, id: hostile };
    const { html, inner, element } = await parse(
      { ...named, body: { note: hostile }, text: { copy: hostile } },
      session,
    );
    expect(inner.querySelectorAll('img, script')).toHaveLength(0);
    expect(html.match(/<(img|script)/g)).toBeNull();
    expect(html.match(/<\/(template|transfer-checkout)>/g)).toHaveLength(2);
    expect(element.getAttribute('merchant-name')).toBe(hostile);
    expect(JSON.parse(element.getAttribute('body') ?? '')).toEqual({ note: hostile });
    expect(inner.querySelector('[data-field="bankName"]')?.textContent).toBe(hostile);
  });

  it('writes the options as the attributes that the element reads', async () => {
    const { element } = await parse({ returnAfterSeconds: 5, id: 'pay', theme: 'dark', density: 'compact' });
    const attributes = Object.fromEntries([...element.attributes].map(({ name, value }) => [name, value]));
    expect(attributes).toEqual({
      id: 'pay',
      'return-after-seconds': '5',
      theme: 'dark',
      density: 'compact',
      'data-server-rendered': '',
    });
  });

  it.each([
    ['an invalid session', { account: 1 }, {}],
    ['a URL with another scheme', undefined, { returnUrl: 'java\nscript:alert(1)' }],
    ['a style sheet as a data URL', undefined, { stylesheet: 'data:text/css,*{}' }],
    ['an unknown option', undefined, { merchant: 'Kola’s' }],
  ])('refuses %s', async (_what, session, options) => {
    const rendering = render(options as object, (session ?? sessionOf()) as never);
    await expect(rendering).rejects.toMatchObject({ code: 'invalid_options' });
  });
});
