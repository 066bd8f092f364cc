import { describe, expect, it } from 'vitest';
import {
  hrefOf,
  readRoute,
  sectionTitles,
  watchRoute,
} from '../../../../../../server-kit/tools/sandbox/pages/panel/route.ts';

describe('an address of the panel', () => {
  it('names a section, and the record that is open in it', () => {
    expect(readRoute('#/callbacks')).toEqual({ section: 'callbacks', id: undefined });
    expect(readRoute('#/callbacks/cb_1')).toEqual({ section: 'callbacks', id: 'cb_1' });
  });

  it.each(['', '#', '#/', '#/nowhere', '#/__proto__', '#/constructor/x', '#main'])(
    'leads to the payments if it is %j',
    (hash) => {
      expect(readRoute(hash)).toEqual({ section: 'payments', id: undefined });
    },
  );

  it('is the inverse of readRoute, for each section and any id', () => {
    for (const section of Object.keys(sectionTitles) as (keyof typeof sectionTitles)[]) {
      for (const id of [undefined, 'ord/1 001', '100 %', 'größe', '#/payouts']) {
        expect(readRoute(hrefOf(section, id))).toEqual({ section, id });
      }
    }
  });

  it('is taken literally with a broken escape', () => {
    expect(readRoute('#/payments/100%')).toEqual({ section: 'payments', id: '100%' });
  });

  it('updates the route when it changes', () => {
    const target = new EventTarget();
    const page = {
      location: { hash: '#/callbacks' },
      addEventListener: target.addEventListener.bind(target),
      history: { scrollRestoration: 'auto' },
    };
    const route = watchRoute(page as unknown as Window);
    const moveTo = (hash: string): void => {
      page.location.hash = hash;
      target.dispatchEvent(new Event('hashchange'));
    };
    expect(route.value.section).toBe('callbacks');
    expect(page.history.scrollRestoration).toBe('auto');
    moveTo('#/requests/req_1');
    expect(route.value).toEqual({ section: 'requests', id: 'req_1' });
    // The panel scrolls to an open record itself.
    expect(page.history.scrollRestoration).toBe('manual');
    moveTo('#/requests');
    expect(page.history.scrollRestoration).toBe('auto');
  });
});
