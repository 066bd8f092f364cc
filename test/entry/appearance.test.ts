import { describe, expect, it } from 'vitest';
import type { CheckoutOptions } from '../../src/index.ts';
import { settleImports } from '../settle.ts';
import { mounted } from './shop.ts';

/** Mounts a checkout; returns its card and logo once the account shows. */
async function mount(options: CheckoutOptions) {
  const { host, checkout } = await mounted(options);
  const card = (): HTMLElement | null | undefined => host.shadowRoot?.querySelector<HTMLElement>('.card');
  return {
    checkout,
    head: () => card()?.querySelector('.head')?.textContent,
    logo: () => card()?.querySelector('img'),
    density: () => card()?.dataset.density,
    variable: (name: string) => card()?.style.getPropertyValue(`--checkout-${name}`),
  };
}

it('the appearance sets the density and custom properties of the card, and changes them without a restart', async () => {
  const { checkout, density, variable } = await mount({
    appearance: { density: 'compact', variables: { accent: 'gold', 'max-width': '30em' } },
  });
  expect([variable('accent'), variable('max-width'), density()]).toEqual(['gold', '30em', 'compact']);
  checkout.update({ appearance: { variables: { accent: 'navy' } } });
  await settleImports();
  expect([variable('accent'), variable('max-width'), density()]).toEqual(['navy', '', undefined]);
});

describe('a logo', () => {
  it.each(['https://shop.example/logo.svg', '/logo.svg', 'logo.svg?v=2', 'data:image/svg+xml,%3Csvg/%3E'])(
    'is shown beside the name: %s',
    async (logo) => {
      const { logo: image, head } = await mount({ merchantName: 'Kola’s Bookshop', logo });
      expect([image()?.getAttribute('src'), image()?.getAttribute('alt')]).toEqual([logo, '']);
      expect(head()).toContain('Kola’s Bookshop');
    },
  );

  it('replaces the name if it has alternative text', async () => {
    const logo = { src: '/wordmark.svg', alt: 'Kola’s' };
    const { logo: image, head } = await mount({ merchantName: 'Kola’s Bookshop', logo });
    expect(image()?.getAttribute('alt')).toBe('Kola’s');
    expect(head()).not.toContain('Kola’s Bookshop');
  });
});
