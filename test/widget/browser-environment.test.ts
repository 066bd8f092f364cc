import { describe, expect, it, onTestFinished } from 'vitest';
import { createBrowserEnvironment } from '../../src/widget/dom/browser-environment.ts';

/** A `PageTransitionEvent`, which the DOM of the tests does not have. */
const transition = (type: string, persisted: boolean): Event => Object.assign(new Event(type), { persisted });

describe('the events of the page in a browser', () => {
  it('have a page that the browser keeps and restores, not one that has just loaded or is left for good', () => {
    const seen: string[] = [];
    const types = ['pageshow', 'pagehide'];
    onTestFinished(createBrowserEnvironment().observe(types, (type) => seen.push(type)));
    for (const type of types) dispatchEvent(transition(type, false));
    expect(seen).toEqual([]);
    for (const type of types) dispatchEvent(transition(type, true));
    expect(seen).toEqual(types);
  });
});
