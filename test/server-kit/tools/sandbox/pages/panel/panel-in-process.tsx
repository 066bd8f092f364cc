import { render } from 'preact';
import { expect, onTestFinished } from 'vitest';
import { createPaymentsClient, type PaymentsClient } from '../../../../../../server-kit/index.ts';
import { createSandboxCalls } from '../../../../../../server-kit/tools/sandbox/pages/client/sandbox-calls.ts';
import { App } from '../../../../../../server-kit/tools/sandbox/pages/panel/app.tsx';
import { createPanelModel } from '../../../../../../server-kit/tools/sandbox/pages/panel/model.ts';
import { type SectionId, watchRoute } from '../../../../../../server-kit/tools/sandbox/pages/panel/route.ts';
import { newSandbox, origin } from '../../sandbox-kit.ts';

const textOf = (element: Element | null | undefined): string =>
  element?.textContent?.replace(/\s+/g, ' ').trim() ?? '';

/** The panel as at `/panel`, over a sandbox in this process with a stopped clock. */
export async function openPanel({ shopUrl }: { shopUrl?: string } = {}) {
  const sandbox = newSandbox();
  const root = document.body.appendChild(document.createElement('div'));
  let listener = (): void => {};
  const page = {
    hidden: false,
    addEventListener: (_type: string, run: () => void): void => {
      listener = run;
    },
  };
  location.hash = '';
  const model = createPanelModel(
    createSandboxCalls({ serviceUrl: origin, fetch: sandbox.fetch }),
    watchRoute(window),
    page as unknown as Document,
  );
  render(<App model={model} shopUrl={shopUrl} />, root);
  model.start();
  onTestFinished(() => {
    page.hidden = true;
    listener();
    render(null, root);
    root.remove();
  });

  const find = (selector: string, within: Element = root): HTMLElement | null =>
    within.querySelector(selector);
  /** Returns the element as soon as it exists. */
  const found = async (selector: string, within: Element = root): Promise<HTMLElement> => {
    await expect.poll(() => find(selector, within), { message: selector }).not.toBeNull();
    return find(selector, within) as HTMLElement;
  };

  async function submit(name: string, values: Record<string, string | boolean>, within: Element = root) {
    const form = await found(`[data-form="${name}"]`, within);
    for (const [field, value] of Object.entries(values)) {
      const control = await found(`[name="${field}"]`, form);
      if (typeof value === 'boolean') (control as HTMLInputElement).checked = value;
      else (control as HTMLInputElement).value = value;
    }
    (await found('button[type="submit"]', form)).click();
  }

  await expect.poll(() => model.connection.value).toBe('live');
  return {
    sandbox,
    find,
    found,
    submit,
    text: (selector: string, within: Element = root): string => textOf(find(selector, within)),
    /** Refreshes the panel now, instead of within a second. */
    refresh: (): void => listener(),
    visit(section: SectionId): void {
      (find(`nav a[href="#/${section}"]`) as HTMLElement).click();
      window.dispatchEvent(new Event('hashchange'));
    },
    async openRecord(section: SectionId, id: string): Promise<HTMLElement> {
      location.hash = `#/${section}/${encodeURIComponent(id)}`;
      window.dispatchEvent(new Event('hashchange'));
      return found(`.record[data-id="${id}"][data-open="true"]`);
    },
    /** Returns the record whose line contains this text. */
    async recordWith(part: string): Promise<HTMLElement> {
      const search = (): HTMLElement | undefined =>
        [...root.querySelectorAll<HTMLElement>('.record')].find((record) => textOf(record).includes(part));
      await expect.poll(search, { message: part }).toBeDefined();
      return search() as HTMLElement;
    },
    press: async (action: string, within: Element = root): Promise<void> =>
      (await found(`[data-action="${action}"]`, within)).click(),
    untilSaid: (said: string | RegExp): Promise<void> =>
      expect.poll(() => textOf(find('[data-field="outcome"]'))).toMatch(said),
    untilStatus: async (record: Element, status: string): Promise<void> =>
      void (await found(`.record-link [data-field="status"][data-status="${status}"]`, record)),
    untilShown: (shown: string | RegExp, within: Element = root): Promise<void> =>
      expect.poll(() => textOf(within)).toMatch(shown),
  };
}
export type Panel = Awaited<ReturnType<typeof openPanel>>;

export const clientOf = ({ sandbox }: Panel, apiSecret = 'sk_test_sandbox'): PaymentsClient =>
  createPaymentsClient({
    baseUrl: origin,
    apiSecret,
    authToken: 'auth_test_sandbox',
    maxRetries: 0,
    now: sandbox.now,
    fetch: sandbox.fetch,
  });

export const initiate = (panel: Panel, reference: string, callbackUrl?: string) =>
  clientOf(panel).payments.initiate({
    reference,
    paymentMethod: 'pay_with_transfer',
    amount: { value: 1_250_000, currency: 'NGN' },
    customer: { email: 'ada@example.com', name: 'Ada Obi' },
    ...(callbackUrl !== undefined && { callbackUrl }),
  });
