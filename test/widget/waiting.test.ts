import { describe, expect, it } from 'vitest';
import { settle } from '../settle.ts';
import { show, shown } from './show.ts';

describe('a second of waiting', () => {
  it('changes one text and one transform', async () => {
    const { root, advance, field } = await show(shown('awaitingTransfer'), {
      ussd: [{ bank: 'Ada Bank', template: '*737#' }],
      shareDetails: true,
      supportEmail: 'help@shop.example',
    });
    // The first announcement is removed by now.
    await advance(10_000);
    const changes: string[] = [];
    const observer = new MutationObserver((records) => {
      for (const { type, target, attributeName } of records) {
        const element = target instanceof Element ? target : target.parentElement;
        changes.push(
          [type, attributeName, element?.getAttribute('data-field') ?? element?.localName].join(' '),
        );
      }
    });
    observer.observe(root, { subtree: true, childList: true, characterData: true, attributes: true });
    const before = field('countdown');
    await advance(1000);
    await settle();
    observer.disconnect();
    expect([before, field('countdown')]).toEqual(['14:50', '14:49']);
    expect(changes.sort()).toEqual(['attributes style i', 'characterData  countdown']);
  });
});
