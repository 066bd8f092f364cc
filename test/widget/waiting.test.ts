import { describe, expect, it } from 'vitest';
import { settle } from '../settle.ts';
import { show, shown } from './show.ts';

/** Shows an account that was opened a quarter of an hour ago, and lists the changes to its elements. */
async function observe() {
  const page = await show(shown('awaitingTransfer'), {
    ussd: [{ bank: 'Ada Bank', template: '*737#' }],
    shareDetails: true,
    supportEmail: 'help@shop.example',
  });
  // The first announcement is removed by now.
  await page.advance(10_000);
  const changes: string[] = [];
  const observer = new MutationObserver((records) => {
    const names = records.map(({ type, target, attributeName }) => {
      const element = target instanceof Element ? target : target.parentElement;
      return [type, attributeName, element?.getAttribute('data-field') ?? element?.localName].join(' ');
    });
    // This DOM reports a new text twice: the old one is removed, the new one added.
    changes.push(...new Set(names));
  });
  observer.observe(page.root, { subtree: true, childList: true, characterData: true, attributes: true });
  return {
    ...page,
    /** Waits second by second. */
    async wait(seconds: number) {
      for (let second = 0; second < seconds; second++) {
        await page.advance(1000);
        await settle();
      }
      return changes.splice(0);
    },
  };
}

describe('waiting for the transfer', () => {
  it('changes one text a second', async () => {
    const { wait, field } = await observe();
    expect(field('countdown')).toBe('14:50');
    expect(await wait(1)).toEqual(['childList  countdown']);
    expect(field('countdown')).toBe('14:49');
  });

  it('moves the bar by a step of half a percent, and by nothing in between', async () => {
    const { wait } = await observe();
    const changes = await wait(9);
    expect(changes.filter((change) => change !== 'childList  countdown')).toEqual(['attributes style i']);
    expect(changes).toHaveLength(10);
  });
});

it('paints the number and the countdown first, and then what a slow phone needs longer for', async () => {
  const { firstRender, seen, announced } = await show(shown('awaitingTransfer'));
  const later = /Pay by|Copy all/g;
  expect(firstRender).toMatch(/9012345678.*15:00/s);
  expect(firstRender).not.toMatch(later);
  expect(seen()?.match(later)).toHaveLength(2);
  expect(announced()).not.toEqual([]);
});

it('the time by which to pay has its date where the account was opened on another day', async () => {
  const { firstRender, field } = await show({
    ...shown('awaitingTransfer', {
      openedAt: new Date(2026, 10, 21, 23, 50).toISOString(),
      expiresAt: new Date(2026, 10, 22, 0, 20).toISOString(),
    }),
    serviceOffsetMs: new Date(2026, 10, 21, 23, 50).getTime(),
  });
  expect(field('payBy')).toMatch(/^Pay by 22 Nov 2026, 00:20/);
  // It may need a line of its own, so it is painted first.
  expect(firstRender).toContain('Pay by 22 Nov');
});
