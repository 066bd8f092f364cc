import { describe, expect, it } from 'vitest';
import { show, shown } from './show.ts';

const sentTitle = 'We are looking for your transfer';
const sentLead =
  'It usually arrives within a minute. Some banks take longer. Please don’t send it again. You can close this page. We keep watching.';

/** Shows the checkout after a press that moves no focus, as in Safari. */
async function pressSent() {
  const page = await show(shown('awaitingTransfer'));
  const { screen, state, claimTransfer, press } = page;
  claimTransfer.mockImplementation(() => {
    state.value = shown('checking');
  });
  await press(/I have sent the money/);
  return { ...page, heading: screen.getByRole('heading') };
}

describe('an announcement', () => {
  it('is removed after a while, and replaced by the next one', async () => {
    const { announced, advance, setTimeLeft, setState } = await show(shown('awaitingTransfer'));
    expect(announced().map((line) => line.replace(/\s/g, ' '))).toEqual([
      'Transfer 12,500.00 naira. Open your bank app and send exactly this amount in one transfer. We’ll see it, even if you don’t come back. Send the exact amount; the bank may return more.',
      'Up to 15 minutes left to pay.',
    ]);
    await advance(10_000);
    expect(announced()).toEqual([]);
    await setTimeLeft(800_000);
    expect(announced()).toEqual([]);
    await setTimeLeft(700_000);
    expect(announced()).toEqual(['Up to 12 minutes left to pay.']);
    await setState(shown('confirming'));
    expect(announced()[0]).toMatch(/^Your transfer has arrived\./);
  });

  it('is not made for each check, but when checking takes long', async () => {
    const { announced, spoken, seen, advance, state, setState } = await show({
      ...shown('checking'),
      checkedAtMs: 0,
    });
    const heard = announced();
    await advance(10_000);
    expect(seen()).toContain('Last checked 10 seconds ago.');
    expect([heard, announced()]).toEqual([[`${sentTitle}. ${sentLead}`], []]);
    await advance(300_000);
    expect(spoken()).toContain('This is taking longer than usual. Your money is not lost');
    expect(seen()).toContain('give them this reference.');
    await setState({ ...state.peek(), checkedAtMs: 310_000 });
    expect(seen()).toContain('Last checked 1 second ago.');
  });

  it('is made for each check that the shopper requested, even without news', async () => {
    const { announced, advance, state, press, setState } = await show({
      ...shown('checking'),
      checkedAtMs: 0,
    });
    await advance(10_000);
    const respond = async (checkedAtMs: number) => {
      await advance(10_000);
      await setState({ ...state.peek(), checkedAtMs });
      return announced()[0];
    };
    await press(/^Check again$/);
    expect(announced()).toEqual([]);
    const first = await respond(10_000);
    expect(first).toBe('Last checked 1 second ago.');
    await press(/^Check again$/);
    const second = await respond(20_000);
    expect(second?.trim()).toBe(first);
    expect(second).not.toBe(first);
    expect(await respond(30_000)).toBeUndefined();
    for (const next of [shown('awaitingTransfer'), shown('checking')]) {
      await setState({ ...next, checkedAtMs: 30_000 });
      expect(announced().join()).not.toContain('Last checked');
    }
  });

  it('is repeated when a screen comes back', async () => {
    const { spoken, advance, setState } = await show(shown('awaitingTransfer'));
    const first = spoken();
    await advance(10_000);
    for (const next of [shown('checking'), shown('awaitingTransfer')]) {
      await setState(next);
    }
    expect(first).toContain('Transfer');
    expect(spoken()).toBe(first);
  });

  it('keeps its full time when another line appears', async () => {
    const { timers, announced, state, setState } = await show(shown('awaitingTransfer'));
    const before = timers.size;
    await setState({ ...state.peek(), ...shown('awaitingTransfer', {}, 'retrying') });
    expect([timers.size, announced().filter(Boolean).length]).toEqual([before, 3]);
  });
});

describe('the focus in the card', () => {
  it('moves to the title when its element is removed, and the title is not announced twice', async () => {
    const { root, heading, spoken } = await pressSent();
    expect([root.activeElement, heading.textContent]).toEqual([heading, sentTitle]);
    expect(spoken()).toBe(sentLead);
  });

  it.each([
    ['no focus ring', 'pointerdown', true],
    ['a focus ring', 'keyup', false],
  ])('moves to the title with %s after a %s', async (_, input, isHidden) => {
    const { root, screen, setState } = await show(shown('awaitingTransfer'));
    const sent = screen.getByRole('button', { name: 'I have sent the money' });
    sent.focus();
    sent.dispatchEvent(new Event(input, { bubbles: true }));
    await setState(shown('checking'));
    expect(root.activeElement).toBe(screen.getByRole('heading'));
    expect(root.activeElement?.matches('[data-no-ring]')).toBe(isHidden);
  });

  it('stays on an element that the next screen has, too', async () => {
    const { root, screen, state, setState } = await show(shown('awaitingTransfer'), {
      supportEmail: 'help@shop.example',
    });
    const help = screen.getByRole('link', { name: 'Get help' });
    help.focus();
    await setState({ ...state.peek(), isOffline: true });
    expect(root.activeElement).toBe(help);
  });
});
