import { cleanup, fireEvent, render, screen, within } from '@testing-library/preact';
import { expect, onTestFinished } from 'vitest';
import { createLookModel } from '../../../demo/look/model/look-model.ts';
import { LookPage } from '../../../demo/look/page/look-page.tsx';
import { type CheckoutOptions, validateOptions } from '../../../src/options/options.ts';

/** The page as at `/look.html`, with this query. A page opened before is closed, as by a reload. */
export async function openLookPage(search = '') {
  cleanup();
  history.replaceState(null, '', `/some/where/look.html${search}`);
  const { container } = render(<LookPage model={createLookModel(location.search)} />);
  onTestFinished(cleanup);
  const area = container.querySelector('.preview-area') as HTMLElement;
  const root = (): ShadowRoot | null | undefined => area.firstElementChild?.shadowRoot;
  await expect.poll(() => root()?.querySelector('.card')).toBeTruthy();
  const field = (label: string | RegExp): HTMLInputElement => screen.getByLabelText(label);
  const code = (): string => container.querySelector('pre')?.textContent ?? '';
  return {
    container,
    area,
    root,
    card: (): HTMLElement | null | undefined => root()?.querySelector<HTMLElement>('.card'),
    field,
    type: (label: string | RegExp, value: string) => fireEvent.input(field(label), { target: { value } }),
    select: (label: string, value: string) => fireEvent.change(field(label), { target: { value } }),
    choose: (group: string, option: string) =>
      fireEvent.click(within(screen.getByRole('group', { name: group })).getByLabelText(option)),
    press: (name: string) => fireEvent.click(screen.getByRole('button', { name })),
    untilShown: (text: string) => expect.poll(() => root()?.textContent).toContain(text),
    problemOf: (label: string): string | null | undefined =>
      document.getElementById(field(label).getAttribute('aria-describedby') ?? '')?.textContent,
    code,
    /** The options in the code for npm, as the package receives them. */
    printedOptions: () => runImportCode(code()),
    /** A custom property that the checkout inherits. */
    property: (name: string): string => area.style.getPropertyValue(`--checkout-${name}`),
  };
}

/** Runs printed code, and returns the options with which it mounts a checkout. The package's own check accepts them. */
export function runImportCode(code: string): CheckoutOptions {
  const [first, ...rest] = code.split('\n');
  expect(first).toBe('import { mountCheckout } from "transfer-checkout";');
  let received: CheckoutOptions | undefined;
  const mountCheckout = (element: Element | null, options: CheckoutOptions = {}): void => {
    expect(element?.id).toBe('pay');
    received = options;
  };
  const page = document.createElement('main');
  page.innerHTML = '<div id="pay"></div>';
  new Function('mountCheckout', 'document', rest.join('\n'))(mountCheckout, page);
  if (!received) throw new Error('The code mounts no checkout.');
  validateOptions(received);
  return received;
}
