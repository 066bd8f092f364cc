import { describe, expect, it } from 'vitest';
import { show, shown } from './show.ts';

const sentTitle = 'We are looking for your transfer';
const sentLead =
  'It usually arrives within a minute. Some banks take longer. Please don’t send it again. You can close this page. We keep watching.';

/** Shows the checkout after a press that moves no focus, as in Safari. */
async function pressSent() {
  const page = await show(shown('awaitingTransfer'));
  const { screen, state, claimTransfer, click } = page;
  claimTransfer.mockImplementation(() => {
    state.value = shown('checking');
  });
  await click(/I have sent the money/);
  return { ...page, heading: screen.getByRole('heading') };
}

describe('an announcement', () => {
  it('is removed after a while, and replaced by the next one', async () => {
    const { announced, state, settle, later, setTimeLeft } = await show(shown('awaitingTransfer'));
    expect(announced().map((line) => line.replace(/\s/g, ' '))).toEqual([
      'Transfer 12,500.00 Nigerian nairas. Open your bank app, send exactly this amount in one transfer, then come back. Send the exact amount; the bank may return more.',
      '',
      '',
      'Up to 15 minutes left to pay.',
    ]);
    await later(10_000);
    expect(announced()).toEqual(['', '', '', '']);
    await setTimeLeft(800_000);
    expect(announced()).toEqual(['', '', '', '']);
    await setTimeLeft(700_000);
    expect(announced()).toEqual(['', '', '', 'Up to 12 minutes left to pay.']);
    state.value = shown('confirming');
    await settle();
    expect(announced()[0]).toMatch(/^Your transfer has arrived\./);
  });

  it('does not repeat each check, but says when checking takes long', async () => {
    const { announced, spoken, seen, later, state, settle } = await show({
      ...shown('checking'),
      checkedAtMs: 0,
    });
    const heard = announced();
    await later(10_000);
    expect(seen()).toContain('Last checked 10 seconds ago.');
    expect([heard[0], heard.slice(1), announced()]).toEqual([
      `${sentTitle}. ${sentLead}`,
      ['', '', ''],
      ['', '', '', ''],
    ]);
    await later(300_000);
    expect(spoken()).toContain('This is taking longer than usual. Your money is not lost');
    expect(seen()).toContain('give them this reference.');
    state.value = { ...state.peek(), checkedAtMs: 310_000 };
    await settle();
    expect(seen()).toContain('Last checked 1 second ago.');
  });

  it('follows each check that the shopper requested, even without news', async () => {
    const { announced, later, state, click, settle } = await show({ ...shown('checking'), checkedAtMs: 0 });
    const respond = async (checkedAtMs: number) => {
      await later(10_000);
      state.value = { ...state.peek(), checkedAtMs };
      await settle();
      return announced()[1];
    };
    await click(/^Check again$/);
    expect(announced()[1]).toBe('');
    const first = await respond(10_000);
    expect(first).toBe('Last checked 1 second ago.');
    await click(/^Check again$/);
    const second = await respond(20_000);
    expect([second?.trim(), second === first]).toEqual([first, false]);
    expect(await respond(30_000)).toBe('');
    for (const next of [shown('awaitingTransfer'), shown('checking')]) {
      state.value = { ...next, checkedAtMs: 30_000 };
      await settle();
      expect(announced()[1]).toBe('');
    }
  });

  it('is repeated when a screen comes back', async () => {
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

  it('keeps its full time when another line appears', async () => {
    const { timers, announced, state, settle } = await show(shown('awaitingTransfer'));
    const before = timers.size;
    state.value = { ...state.peek(), ...shown('awaitingTransfer', {}, 'retrying') };
    await settle();
    expect([timers.size, announced().filter(Boolean).length]).toEqual([before, 3]);
  });

  it('is complete when the focus is elsewhere', async () => {
    const { root, spoken, state, settle } = await show(shown('awaitingTransfer'));
    state.value = shown('checking');
    await settle();
    expect([root.activeElement, spoken()]).toEqual([null, `${sentTitle}. ${sentLead}`]);
  });
});

describe('the focus', () => {
  it('moves to the title when its element is removed, and the title is not announced twice', async () => {
    const { root, heading, spoken } = await pressSent();
    expect([root.activeElement, heading.textContent]).toEqual([heading, sentTitle]);
    expect(spoken()).toBe(sentLead);
  });

  it.each([
    ['no frame', 'pointerdown', true],
    ['a frame', 'keyup', false],
  ])('moves to the title with %s after a %s', async (_, input, isHidden) => {
    const { root, screen, state, settle } = await show(shown('awaitingTransfer'));
    const sent = screen.getByRole('button', { name: 'I have sent the money' });
    sent.focus();
    sent.dispatchEvent(new Event(input, { bubbles: true }));
    state.value = shown('checking');
    await settle();
    expect(root.activeElement).toBe(screen.getByRole('heading'));
    expect(root.activeElement?.matches('[data-no-frame]')).toBe(isHidden);
  });

  it('does not move when the pressed element stays', async () => {
    const { root, click } = await show(shown('awaitingTransfer'));
    await click(/Show QR code/);
    expect(root.activeElement).toBeNull();
  });

  it('stays on the title of the next screen, which is not announced twice', async () => {
    const { root, spoken, state, settle } = await pressSent();
    state.value = shown('awaitingTransfer');
    await settle();
    state.value = shown('checking');
    await settle();
    expect(root.activeElement?.textContent).toBe(sentTitle);
    expect(spoken()).toBe(sentLead);
  });

  it('returns from the leave dialog without an announcement', async () => {
    const page = await show(shown('awaitingTransfer'), { returnUrl: 'https://shop.example/orders' });
    const before = page.spoken();
    page.screen.getByRole('link', { name: 'Back to the shop' }).click();
    await page.settle();
    await page.click(/Stay here/);
    const link = page.screen.getByRole('link', { name: 'Back to the shop' });
    expect([page.root.activeElement, page.spoken()]).toEqual([link, before]);
  });

  it('stays on an element that the next screen has, too', async () => {
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
