import { expect, it } from 'vitest';
import { defineCheckoutElement } from '../../src/entry/element.ts';
import { createLoader } from '../../src/entry/loader.ts';
import { settleImports } from '../settle.ts';

it('a <transfer-checkout> whose widget fails to load reports it once, and is not blank', async () => {
  defineCheckoutElement(
    createLoader({ importWidget: () => Promise.reject(new Error('Lost.')), sendEarly: () => undefined })
      .loader,
  );
  const element = document.body.appendChild(document.createElement('transfer-checkout'));
  const codes: string[] = [];
  element.addEventListener('error', (event) => {
    codes.push((event as Event as CustomEvent).detail.error.code);
    event.preventDefault();
  });
  await settleImports();
  expect(codes).toEqual(['load_failed']);
  expect(element.shadowRoot?.textContent).toMatch(/could not be loaded/);
  element.remove();
});
