import { describe, expect, it } from 'vitest';
import { show, shown } from './show.ts';

const sentTitle = 'We are looking for your transfer';
const sentLead = 'It usually arrives within a minute. Some banks take longer. Please don’t send it again.';

/** The checkout, after a press that gives nothing the focus, as in Safari. */
async function pressSent() {
  const page = await show(shown('awaitingTransfer'));
  const { screen, state, saySent, click } = page;
  saySent.mockImplementation(() => {
    state.value = shown('checking');
  });
  await click(/I have sent the money/);
  return { ...page, heading: screen.getByRole('heading') };
}

describe('what is spoken', () => {
  it('is taken away a moment later, and comes back when there is something new', async () => {
    const { voices, state, settle, later, setTimeLeft } = await show(shown('awaitingTransfer'));
    expect(voices().map((line) => line.replace(/\s/g, ' '))).toEqual([
      'Transfer NGN 12,500.00 exactly this amount, once',
      '',
      '',
      'Up to 15 minutes left to pay.',
    ]);
    await later(10_000);
    expect(voices()).toEqual(['', '', '', '']);
    await setTimeLeft(800_000);
    expect(voices()).toEqual(['', '', '', '']);
    await setTimeLeft(700_000);
    expect(voices()).toEqual(['', '', '', 'Up to 12 minutes left to pay.']);
    state.value = shown('confirming');
    await settle();
    expect(voices()[0]).toMatch(/^Your transfer has arrived\./);
  });

  it('of money that is looked for is not each look at it, and again only when it takes long', async () => {
    const { voices, spoken, seen, later, state, settle } = await show({
      ...shown('checking'),
      lookedAtMs: 0,
    });
    const said = voices();
    await later(10_000);
    expect(seen()).toContain('Last checked 10 seconds ago.');
    expect([said[0], said.slice(1), voices()]).toEqual([
      `${sentTitle}. ${sentLead}`,
      ['', '', ''],
      ['', '', '', ''],
    ]);
    await later(300_000);
    expect(spoken()).toContain('This is taking longer than usual. Your money is not lost');
    expect(seen()).toContain('give the shop this reference.');
    state.value = { ...state.peek(), lookedAtMs: 310_000 };
    await settle();
    expect(seen()).toContain('Last checked 1 second ago.');
  });

  it('of a look that brought nothing new is what the shopper has asked for, each time', async () => {
    const { voices, later, state, click, settle } = await show({ ...shown('checking'), lookedAtMs: 0 });
    const answer = async (lookedAtMs: number) => {
      await later(10_000);
      state.value = { ...state.peek(), lookedAtMs };
      await settle();
      return voices()[1];
    };
    await click(/^Check again$/);
    expect(voices()[1]).toBe('');
    const first = await answer(10_000);
    expect(first).toBe('Last checked 1 second ago.');
    await click(/^Check again$/);
    const second = await answer(20_000);
    expect([second?.trim(), second === first]).toEqual([first, false]);
    expect(await answer(30_000)).toBe('');
    for (const next of [shown('awaitingTransfer'), shown('checking')]) {
      state.value = { ...next, lookedAtMs: 30_000 };
      await settle();
      expect(voices()[1]).toBe('');
    }
  });

  it('is said again of a screen that comes back', async () => {
    const { spoken, state, settle, later } = await show(shown('awaitingTransfer'));
    const first = spoken();
    await later(10_000);
    for (const next of [shown('checking'), shown('awaitingTransfer')]) {
      state.value = next;
      await settle();
    }
    expect([first, spoken()]).toEqual([first, first]);
    expect(first).toContain('Transfer');
  });

  it('stays its full time when another line comes', async () => {
    const { timers, voices, state, settle } = await show(shown('awaitingTransfer'));
    const before = timers.size;
    state.value = { ...state.peek(), ...shown('awaitingTransfer', {}, 'retrying') };
    await settle();
    expect([timers.size, voices().filter(Boolean).length]).toEqual([before, 3]);
  });

  it('is all of it where the focus is elsewhere', async () => {
    const { root, spoken, state, settle } = await show(shown('awaitingTransfer'));
    state.value = shown('checking');
    await settle();
    expect([root.activeElement, spoken()]).toEqual([null, `${sentTitle}. ${sentLead}`]);
  });
});

describe('the focus', () => {
  it('goes to the title when what had it goes; what is read there is not said as well', async () => {
    const { root, heading, spoken } = await pressSent();
    expect([root.activeElement, heading.textContent]).toEqual([heading, sentTitle]);
    expect(spoken()).toBe(sentLead);
  });

  it('is left where it is when what was pressed stays, and nothing had it', async () => {
    const { root, click } = await show(shown('awaitingTransfer'));
    await click(/Show QR code/);
    expect(root.activeElement).toBeNull();
  });

  it('stays there, and all that follows is said in full', async () => {
    const { root, heading, spoken, state, settle } = await pressSent();
    state.value = shown('awaitingTransfer');
    await settle();
    state.value = shown('checking');
    await settle();
    expect(root.activeElement).toBe(heading);
    expect(spoken()).toBe(`${sentTitle}. ${sentLead}`);
  });

  it('that comes back from a question has nothing said again', async () => {
    const page = await show(shown('awaitingTransfer'), { returnUrl: 'https://shop.example/orders' });
    const before = page.spoken();
    page.screen.getByRole('link', { name: 'Back to the shop' }).click();
    await page.settle();
    await page.click(/Stay here/);
    const link = page.screen.getByRole('link', { name: 'Back to the shop' });
    expect([page.root.activeElement, page.spoken()]).toEqual([link, before]);
  });

  it('stays where it is when that is on the next screen too', async () => {
    const { root, screen, state, settle } = await show(shown('awaitingTransfer'), {
      supportEmail: 'help@shop.example',
    });
    const help = screen.getByRole('link', { name: 'Get help' });
    help.focus();
    state.value = { ...state.peek(), isOffline: true };
    await settle();
    expect(root.activeElement).toBe(help);
  });
});
