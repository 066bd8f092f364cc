import { describe, expect, it } from 'vitest';
import { demoPages, sectionTitles } from '../../../../../../server-kit/tools/sandbox/pages/panel/route.ts';
import { clientOf, initiate, openPanel } from './panel-in-process.tsx';

describe('the frame of the panel', () => {
  it('links to each section, and shows its title', async () => {
    const panel = await openPanel();
    for (const [section, title] of Object.entries(sectionTitles)) {
      panel.visit(section as keyof typeof sectionTitles);
      await expect.poll(() => panel.text('h2#section-title')).toBe(title);
      expect(panel.text('[aria-current="page"]')).toContain(title);
      await expect.poll(() => document.title).toBe(`${title} · Sandbox`);
    }
  });

  it('links to the pages of the demo, if there is one', async () => {
    const links = (await openPanel({ shopUrl: '../' })).find('.site')?.querySelectorAll('a');
    expect(Array.from(links ?? [], (link) => link.textContent)).toEqual(Object.values(demoPages));
    expect((await openPanel()).find('.site')).toBeNull();
  });

  it('moves, freezes, sets and resets the clock', async () => {
    const panel = await openPanel();
    const untilOffset = (text: string) => expect.poll(() => panel.text('[data-field="offset"]')).toBe(text);
    await untilOffset('real time');
    await panel.press('advance-300');
    await panel.untilSaid('5 min ahead');
    await untilOffset('5 min ahead');
    await panel.submit('set-clock', { set: '2030-12-31 23:59' });
    await panel.untilSaid('31 Dec 2030, 23:59:00 UTC');
    await panel.press('freeze');
    await panel.untilSaid(/frozen/);
    expect(panel.sandbox.control.readClock().frozen).toBe(true);
    await panel.press('real-time');
    await panel.untilSaid('back to real time');
    await untilOffset('real time');
    expect(panel.sandbox.control.readClock()).toMatchObject({ frozen: false, offsetSeconds: 0 });
  });
});

describe('requests, faults and callbacks in the panel', () => {
  it('explain a refused request step by step', async () => {
    const panel = await openPanel();
    await initiate(panel, 'signed-1');
    await clientOf(panel, 'sk_wrong')
      .payments.verify('signed-1')
      .catch(() => {});
    panel.visit('requests');
    panel.refresh();
    const refused = await panel.recordWith('request_signature_invalid');
    const record = await panel.openRecord('requests', refused.dataset.id ?? '');
    await panel.untilShown('What is wrong with the signature', record);
    const steps = [...record.querySelectorAll('figcaption')].map((step) => step.textContent ?? '');
    for (const step of ['signedText', 'signature expected', 'signature received'])
      expect(steps).toContainEqual(expect.stringContaining(step));
  });

  it('say in every section that faults are active, and remove them', async () => {
    const panel = await openPanel();
    panel.sandbox.control.addFault({ operation: 'payments.verify', status: 503 });
    panel.visit('callbacks');
    await expect.poll(() => panel.text('[data-notice="faults"]')).toContain('1 fault is active');
    await panel.press('remove-faults');
    await panel.untilSaid('Removed all faults');
    expect(panel.sandbox.control.listFaults()).toEqual([]);
  });

  it('can be stopped, with a notice in every section, and delivered again', async () => {
    const panel = await openPanel();
    panel.visit('callbacks');
    await panel.press('delivery');
    await panel.untilSaid('100 % dropped');
    panel.visit('payments');
    await expect.poll(() => panel.text('[data-notice="delivery"]')).toContain('100 % dropped');
    panel.visit('callbacks');
    await panel.press('delivery');
    await panel.untilSaid('delivered normally');
    await expect.poll(() => panel.find('[data-notice="delivery"]')).toBeNull();
  });
});
