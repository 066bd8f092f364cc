import type { BrowserContext } from 'playwright-core';
import { lineLifetimeMs } from '../../src/widget/announcer.tsx';
import { it } from './browser-test.ts';
import { control, digitsOf, hold, openShop, type ShopPage, untilFound } from './shop-page.ts';

/** The announcements since the last read, recorded by the script below. */
type Listening = { takeSpoken: () => string[] };

/** Records the checkout's live regions as a screen reader would read them, in order. Lines are removed at once instead of after `lifetimeMs`. */
function listen(lifetimeMs: number): void {
  const { setTimeout } = globalThis;
  Object.assign(globalThis, {
    setTimeout: (act: () => void, ms?: number) => setTimeout(act, ms === lifetimeMs ? 0 : ms),
  });
  const spoken: string[] = [];
  const last = new WeakMap<Element, string>();
  const hear = (root: ShadowRoot): void => {
    // Nobody hears what is inert, such as the film on the first page.
    if (root.host.closest('[inert]')) return;
    // A region that is not atomic is read by what is added to it.
    const regions = ':is([role="status"], [role="alert"], [aria-live])';
    const read = `${regions}:not([aria-atomic="false"]), ${regions}[aria-atomic="false"] > *`;
    for (const region of root.querySelectorAll(read)) {
      const text = region.textContent?.replace(/\s+/g, ' ').trim() ?? '';
      if (text && text !== last.get(region)) spoken.push(text);
      last.set(region, text);
    }
  };
  const attachShadow = Element.prototype.attachShadow;
  Element.prototype.attachShadow = function (options) {
    const root = attachShadow.call(this, options);
    new MutationObserver(() => hear(root)).observe(root, {
      subtree: true,
      childList: true,
      characterData: true,
    });
    return root;
  };
  Object.assign(globalThis, { takeSpoken: () => spoken.splice(0) } satisfies Listening);
}

/** Replaces values that differ between runs with their names, and account numbers with their grouping. */
async function normaliserOf({ text, page }: ShopPage): Promise<(transcript: string) => string> {
  const shown = await text('accountNumber');
  const reference = await text('reference');
  const digits = digitsOf(shown);
  const accounts = [digits.split('').join(' '), shown, digits];
  return (transcript) =>
    accounts
      .reduce((now, account) => now.replaceAll(account, account.replace(/\d/g, '#')), transcript)
      .replaceAll(reference, '<reference>')
      .replaceAll(new URL(page.url()).origin, '<shop>')
      .replace(/(\w{3,4} \d{1,2},|\d{1,2} \w{3,4}) \d{4}(?=,)/g, '<date>')
      .replace(/\d+ seconds? ago/g, '<time> ago')
      // Near midnight the time by which to pay has its date.
      .replace(/(Pay by )<date>, /g, '$1')
      .replace(/\d{1,2}:\d\d/g, '<time>')
      // A link with its address, and a term with its one text, are a line each.
      .replace(/:\n +- \/url: /g, ' to ')
      .replace(/(- term: .*)\n +- (definition: .*)/g, '$1, $2')
      .replace(/(- term: .*)\n +- definition:\n +- (deletion: .*)/g, '$1, $2');
}

type Read = { readonly title: string; readonly heard: string; readonly screen: string };

/** Returns the announcements since the last step with the focus, and the checkout's present content. */
async function readStep({ page }: ShopPage, title: string): Promise<Read> {
  // Waits until the live regions are empty, as for a reader who browses the page. The loading line stays until the account shows.
  await page.waitForFunction(() => {
    const host = document.querySelector('#checkout');
    const root = host?.shadowRoot;
    if (!root?.querySelector('.card:not([data-state="loading"])')) return true;
    return [...(root.querySelectorAll('.card > [role="status"]') ?? [])].every((one) => !one.textContent);
  });
  const { spoken, focus } = await page.evaluate(() => {
    let active = document.activeElement;
    while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
    return {
      spoken: (globalThis as unknown as Listening).takeSpoken(),
      focus: active?.matches('button, a, h2')
        ? `“${active.ariaLabel ?? active.textContent}”`
        : active?.className || active?.id,
    };
  });
  const heard = [...spoken.map((text) => `Said: “${text}”`), `Focus: ${focus}`].join('\n');
  return { title, heard, screen: await page.locator('#checkout').ariaSnapshot() };
}

/** The actions of a payment, by the titles of their steps. */
type Steps = Readonly<Record<string, () => Promise<void>>>;

/** Runs steps, and reads the screen after each. The service's clock stops unless a step moves it. */
async function walk(shop: ShopPage, payment: string, steps: Steps): Promise<Read[]> {
  const reads: Read[] = [];
  for (const [name, act] of Object.entries(steps)) {
    await act();
    reads.push(await readStep(shop, `${payment}: ${name}`));
  }
  const normalise = await normaliserOf(shop);
  return reads.map(({ title, heard, screen }) => ({
    title,
    heard: normalise(heard),
    screen: normalise(screen),
  }));
}

/** Returns a screen; or, where it repeats an earlier one, the title of that; or the few lines that differ from the last one. */
function shorten(screen: string, earlier: readonly Read[]): string {
  const same = earlier.find((one) => one.screen === screen);
  if (same) return `The screen of “${same.title}”.`;
  const lines = screen.split('\n');
  const last = earlier.at(-1)?.screen.split('\n') ?? [];
  const changed = lines.flatMap((line, at) => (line === last[at] ? [] : [`Line ${at + 1}:${line}`]));
  if (lines.length !== last.length || changed.length > 3) return screen;
  return ['The last screen, but for', ...changed].join('\n');
}

const transcribe = (reads: readonly Read[]): string =>
  reads
    .map(({ title, heard, screen }, index) =>
      [`# ${title}`, heard, '', shorten(screen, reads.slice(0, index)), ''].join('\n'),
    )
    .join('\n');

/** Opens a new shop whose service's clock stops, and whose responses are held until they are released. */
async function openHeldShop(shopper: BrowserContext, url: string) {
  await control(url, 'clock', { frozen: true });
  // The phone's clock stands still, too: when the two differ, the screen leaves out the time of day.
  await shopper.clock.setFixedTime(new Date());
  await shopper.addInitScript(listen, lineLifetimeMs);
  const shop = await openShop(shopper, url);
  const letGo = await hold(shop.page, '**/checkout/sessions');
  let account = '';
  const press = (name: string) => shop.page.getByRole('button', { name, exact: true }).click();
  const send = async (amount: number) => {
    await control(url, 'transfers', { accountNumber: account, amount });
  };
  const begin: Steps = {
    Loading: async () => {
      await shop.pressPay();
      await shop.untilState('loading');
    },
    'The account to pay into': async () => {
      letGo();
      await shop.untilState('awaitingTransfer');
      await shop.page.getByRole('timer').filter({ hasText: ':' }).waitFor();
      account = digitsOf(await shop.text('accountNumber'));
    },
  };
  return { shop, press, send, begin };
}

it('screen readers read what the transcript contains', async ({ expect, newShopper, startOwnDemo }) => {
  const permissions = ['clipboard-read', 'clipboard-write'];
  const open = async () => {
    const url = await startOwnDemo();
    return { url, ...(await openHeldShop(await newShopper({ permissions }), url)) };
  };
  const [paid, late] = await Promise.all([open(), open()]);
  const payments = await Promise.all([
    walk(paid.shop, 'A payment in two parts', {
      ...paid.begin,
      'The account number is copied': async () => {
        await paid.press('Copy account number');
        await paid.shop.page.locator('[data-copied="true"]').waitFor();
      },
      'The shopper says that the money is sent': async () => {
        await paid.press('I have sent the money');
        await paid.shop.untilState('checking');
      },
      'A part has arrived': async () => {
        const acceptedAmountPolicy = 'ACCEPTED_AMOUNT_POLICY_ALLOW_PARTIAL';
        await control(paid.url, `payments/${await paid.shop.text('reference')}`, { acceptedAmountPolicy });
        await paid.send(500_000);
        await paid.shop.untilState('partlyPaid');
        await paid.shop.page.getByRole('timer').filter({ hasText: ':' }).waitFor();
      },
      'The rest has arrived': async () => {
        await paid.send(750_000);
        await paid.shop.untilState('confirming');
      },
      'The bank has confirmed it': async () => {
        await control(paid.url, 'clock', { advanceSeconds: 3 });
        await paid.shop.untilState('succeeded');
      },
    }),
    walk(late.shop, 'A payment that arrives late', {
      ...late.begin,
      'The time is up': async () => {
        await control(late.url, 'clock', { advanceSeconds: 1801 });
        await late.shop.untilState('expired');
      },
      'The shopper has already sent the money': async () => {
        await late.press('I have sent the money');
        await late.shop.untilState('checking');
      },
      'The money has arrived': async () => {
        await late.send(1_250_000);
        await untilFound(late.shop, '[data-state="confirming"]');
      },
      'The bank has confirmed it': async () => {
        await control(late.url, 'clock', { advanceSeconds: 3 });
        await untilFound(late.shop, '[data-state="receivedLate"]');
      },
    }),
  ]);
  await expect(transcribe(payments.flat())).toMatchFileSnapshot('transcript.txt');
});
