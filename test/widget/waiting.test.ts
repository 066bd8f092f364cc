import { expect, it } from 'vitest';
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

it('waiting changes one text a second, and moves the bar by a step of half a percent and nothing in between', async () => {
  const { wait, field } = await observe();
  const tick = 'childList  countdown';
  expect(field('countdown')).toBe('14:50');
  expect(await wait(1)).toEqual([tick]);
  expect(field('countdown')).toBe('14:49');
  const changes = await wait(8);
  expect(changes.toSorted()).toEqual(['attributes style i', ...Array(8).fill(tick)]);
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
