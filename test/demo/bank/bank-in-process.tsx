import { signal } from '@preact/signals';
import { render } from 'preact';
import { expect, onTestFinished } from 'vitest';
import { showBank } from '../../../demo/bank/show-bank.tsx';
import { createSandboxCalls } from '../../../server-kit/tools/sandbox/pages/client/sandbox-calls.ts';
import { initiate, newSandbox, origin } from '../../server-kit/tools/sandbox/sandbox-kit.ts';

const textOf = (element: Element | null): string => element?.textContent?.replace(/\s+/g, ' ').trim() ?? '';

/** The bank app for a page with a payment of ₦12,500.00, over a sandbox in this process with a stopped clock. */
export async function openBank() {
  const sandbox = newSandbox();
  const { reference, accountNumber } = await initiate(sandbox);
  const root = document.body.appendChild(document.createElement('div'));
  const onPage = signal<{ reference: string } | undefined>(undefined);
  let respond: typeof sandbox.fetch = sandbox.fetch;
  const calls = createSandboxCalls({
    serviceUrl: origin,
    fetch: (url, init) => respond(url, init),
  });
  showBank(root, { calls, onPage });
  onTestFinished(() => {
    render(null, root);
    root.remove();
  });

  const find = (selector: string): HTMLElement | null => root.querySelector(selector);
  const found = async (selector: string): Promise<HTMLElement> => {
    await expect.poll(() => find(selector), { message: selector }).not.toBeNull();
    return find(selector) as HTMLElement;
  };
  return {
    sandbox,
    reference,
    accountNumber: String(accountNumber),
    onPage,
    find,
    found,
    /** Replaces the sandbox's responses. */
    respondWith(next: typeof respond) {
      respond = next;
    },
    text: (selector: string): string => textOf(find(selector)),
    untilText: (selector: string, text: string | RegExp): Promise<void> =>
      expect.poll(() => textOf(find(selector)), { message: selector }).toMatch(text),
    press: async (action: string): Promise<void> => (await found(`[data-action="${action}"]`)).click(),
    async type(name: string, text: string): Promise<void> {
      const input = (await found(`[name="${name}"]`)) as HTMLInputElement;
      input.value = text;
      input.dispatchEvent(new Event('input', { bubbles: true }));
    },
    /** The scenarios that make no sense any more. */
    impossible: (): string[] =>
      [...root.querySelectorAll<HTMLElement>('.bank-scenarios [aria-disabled="true"]')].map(({ dataset }) =>
        `${dataset.action}`.replace('send-', ''),
      ),
    payment: () => sandbox.control.listPayments().find((one) => one.reference === reference),
  };
}
