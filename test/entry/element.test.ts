import { describe, expect, it, onTestFinished, vi } from 'vitest';
import '../../src/element.ts';
import type { MountFunctions } from '../../src/entry/create-widget.ts';
import { defineCheckoutElement } from '../../src/entry/element.ts';
import { optionNames } from '../../src/options/options.ts';
import { clientSecret, sessionOf } from '../core/views.ts';
import { settleImports } from '../settle.ts';
import { place, silence, stateOf, stubServer } from './shop.ts';

/** Adds a `<transfer-checkout>` to the page, and records its events. */
function placeElement(attributes: Record<string, string> = {}, properties: object = {}) {
  const element = document.createElement('transfer-checkout');
  const heard: CustomEvent[] = [];
  for (const name of ['ready', 'statuschange', 'succeeded', 'error', 'close'] as const) {
    element.addEventListener(name, (event: CustomEvent) => {
      heard.push(event);
      event.preventDefault();
    });
  }
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  Object.assign(element, properties);
  place('main').append(element);
  return { element, heard };
}

describe('<transfer-checkout>', () => {
  it('is a checkout with the options of its attributes', async () => {
    const { calls } = stubServer({ outcome: 'paid' });
    const { element } = placeElement({
      'base-url': '/pay',
      'merchant-name': 'Kola',
      'return-url': '/orders',
      theme: 'dark',
      body: '{"orderId":"7"}',
    });
    await settleImports();
    expect(calls[0]).toMatchObject({ url: '/pay/sessions', init: { body: '{"orderId":"7"}' } });
    expect(element.shadowRoot?.textContent).toContain('Kola');
    expect(element.shadowRoot?.querySelector('a')?.pathname).toBe('/orders');
    expect(element.shadowRoot?.querySelector('.card')?.getAttribute('data-theme')).toBe('dark');
  });

  it('has every option as a property that overrides its attribute, even when set before the definition', async () => {
    const { calls } = stubServer({ outcome: 'paid' });
    const { element } = placeElement(
      { 'merchant-name': 'Kola', 'return-url': '/orders', theme: 'light' },
      { merchantName: 'Ada', orderKey: '7', appearance: { theme: 'dark' } },
    );
    await settleImports();
    const card = element.shadowRoot?.querySelector<HTMLElement>('.card');
    expect(card?.textContent).toContain('Ada');
    expect(card?.dataset.theme).toBe('dark');
    Object.assign(element, { returnUrl: '/thanks', baseUrl: '/pay' });
    await settleImports();
    expect(element.shadowRoot?.querySelector<HTMLAnchorElement>('[data-action="back"]')?.pathname).toBe(
      '/thanks',
    );
    expect(calls.map(({ url }) => url)).toContain('/pay/sessions');
    expect(optionNames.filter((name) => !(name in element))).toEqual([]);
  });

  it('starts nothing with modal until it is opened, and then dispatches its events', async () => {
    const { calls, respond } = stubServer();
    const { element, heard } = placeElement({ modal: '' });
    await settleImports();
    expect(calls).toEqual([]);
    await element.open();
    await settleImports();
    const modal = () => document.querySelector('[data-checkout-modal]');
    expect([stateOf(modal() as Element), element.shadowRoot]).toEqual(['awaitingTransfer', null]);
    await respond({ outcome: 'paid' });
    expect(heard.map(({ type }) => type)).toContain('succeeded');
    element.remove();
    await settleImports();
    expect(modal()).toBeNull();
  });

  it('is shown in its place with modal="false", as frameworks write it', async () => {
    stubServer();
    const { element } = placeElement({
      modal: 'false',
      'share-details': 'false',
      locale: 'en_US',
      theme: 'Dark',
    });
    await settleImports();
    expect(stateOf(element)).toBe('awaitingTransfer');
    expect(element.shadowRoot?.querySelector('[data-action="askToPay"]')).toBeNull();
    expect(element.shadowRoot?.querySelector('.card')?.getAttribute('data-theme')).toBe('dark');
  });

  it('shows the account whatever the attributes of the look say, and reports them', async () => {
    const logged = silence('error');
    stubServer();
    const { element, heard } = placeElement({
      theme: 'sepia',
      locale: 'not a tag',
      density: '',
      body: '',
      'base-url': '',
      // A flag without a value is set.
      'share-details': '',
    });
    await settleImports();
    expect(stateOf(element)).toBe('awaitingTransfer');
    expect(element.shadowRoot?.querySelector('[data-action="askToPay"]')).not.toBeNull();
    expect(logged).toMatchObject([[{ code: 'invalid_options' }], [{ code: 'invalid_options' }]]);
    expect(heard.map(({ type }) => type)).not.toContain('error');
  });

  it('accepts a session as a property, and writes its secret nowhere', async () => {
    const { calls } = stubServer();
    const { element, heard } = placeElement({}, { session: sessionOf() });
    await settleImports();
    expect(calls.map(({ init }) => init.method)).toEqual([undefined, undefined]);
    expect(element.outerHTML + element.shadowRoot?.innerHTML).not.toContain(clientSecret);
    expect(JSON.stringify(heard.map(({ detail }) => detail))).not.toContain(clientSecret);
  });

  it('dispatches events that bubble out of shadow roots', async () => {
    const { respond } = stubServer();
    const { element, heard } = placeElement();
    await settleImports();
    await respond({ outcome: 'paid', status: 'succeeded' });
    expect(heard.map(({ type, detail }) => [type, detail.state])).toEqual([
      ['ready', undefined],
      ['statuschange', 'awaitingTransfer'],
      ['statuschange', 'succeeded'],
      ['succeeded', undefined],
    ]);
    for (const event of heard)
      expect(event).toMatchObject({ bubbles: true, composed: true, cancelable: true });
    expect(heard[3]?.detail).toMatchObject({
      payment: { reference: 'order-1001-1', outcome: 'paid' },
      isFirst: expect.any(Boolean),
    });
    expect(stateOf(element)).toBe('succeeded');
  });

  it('does not let error and close events bubble to the page', async () => {
    stubServer({ outcome: 'paid' });
    const reached = vi.fn();
    addEventListener('error', reached);
    document.addEventListener('close', reached);
    const { element, heard } = placeElement({ 'return-after-seconds': '2' });
    await settleImports();
    element.setAttribute('return-after-seconds', '3');
    await settleImports();
    await element.close();
    removeEventListener('error', reached);
    document.removeEventListener('close', reached);
    expect(heard.map(({ type }) => type)).toContain('close');
    expect(reached).not.toHaveBeenCalled();
  });

  it('mounts once for all changes in one task', async () => {
    const { calls, posted } = stubServer();
    const { element } = placeElement();
    element.setAttribute('base-url', '/pay');
    element.body = { orderId: '9' };
    await settleImports();
    expect([posted(), calls[0]?.url]).toEqual([['{"orderId":"9"}'], '/pay/sessions']);
  });

  it.each<[string, Record<string, string>, { body: unknown; locale?: null }]>([
    ['as a string', {}, { body: '{"orderId":"8"}' }],
    ['as an object', {}, { body: { orderId: '8' } }],
    [
      'from its attribute, where the property is null',
      { body: '{"orderId":"8"}' },
      { body: null, locale: null },
    ],
  ])('accepts a body as frameworks set it: %s', async (_how, attributes, properties) => {
    const { calls } = stubServer();
    const { element } = placeElement(attributes, properties);
    await settleImports();
    expect(calls[0]?.init.body).toBe('{"orderId":"8"}');
    expect([element.body, stateOf(element)]).toEqual([properties.body, 'awaitingTransfer']);
  });

  it('continues when it is moved, and stops when it is removed', async () => {
    const { calls } = stubServer();
    const { element } = placeElement();
    await settleImports();
    place('section').append(element);
    await settleImports();
    expect([calls.length, stateOf(element)]).toEqual([2, 'awaitingTransfer']);
    element.remove();
    await settleImports();
    expect(calls[1]?.init.signal?.aborted).toBe(true);
    expect(element.shadowRoot?.innerHTML).toBe('');
  });

  it.each([
    [{ 'base-url': 'ftp://x' }, /baseUrl/],
    [{ 'base-url': 'https://foreign.example/checkout' }, /to allow https:\/\/foreign.example in markup/],
    [{ body: '{orderId:7}' }, /body/],
  ])('reports invalid attributes once, and is not blank: %j', async (attributes, message) => {
    stubServer();
    const { element, heard } = placeElement(attributes as Record<string, string>);
    await settleImports();
    const error = { code: 'invalid_options', message: expect.stringMatching(message) };
    expect(heard).toMatchObject([{ type: 'error', detail: { error } }]);
    expect(element.shadowRoot?.textContent).toMatch(/^Try again, or ask the shop/);
  });

  it('adds no attribute to itself, because frameworks compare them with those of the server', async () => {
    const { respond } = stubServer();
    const { element } = placeElement({ 'base-url': '/pay' });
    await settleImports();
    await respond({ outcome: 'paid', status: 'succeeded' });
    expect(element.getAttributeNames()).toEqual(['base-url']);
    expect(element.shadowRoot?.querySelector('.card')?.getAttribute('part')).toBe('card succeeded');
  });

  it('waits until its server-rendered content is parsed, and then starts once', async () => {
    const readyState = vi.spyOn(Document.prototype, 'readyState', 'get').mockReturnValue('loading');
    onTestFinished(() => readyState.mockRestore());
    const { calls, posted } = stubServer();
    const { element } = placeElement({ 'data-server-rendered': '' });
    await settleImports();
    element.body = { orderId: '8' };
    await settleImports();
    expect([calls, element.shadowRoot]).toEqual([[], null]);
    readyState.mockReturnValue('interactive');
    document.dispatchEvent(new Event('readystatechange'));
    await settleImports();
    expect(posted()).toEqual(['{"orderId":"8"}']);
  });

  it('is defined only once', () => {
    const before = customElements.get('transfer-checkout');
    defineCheckoutElement({} as MountFunctions);
    expect(customElements.get('transfer-checkout')).toBe(before);
  });
});
