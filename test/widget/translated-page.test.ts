import { expect, it } from 'vitest';
import type { State } from '../../src/core/state.ts';
import type { Settings } from '../../src/options/options.ts';
import { everyState } from './model/states.ts';
import { show, shown } from './show.ts';

/** Marks a translated text. */
const mark = '\u2060';

/** What browsers do to a page that they translate. These leave nothing alone. */
const translators: readonly ((text: Text) => void)[] = [
  (text) => {
    const font = document.createElement('font');
    font.textContent = mark + text.data;
    text.replaceWith(font);
  },
  (text) => {
    (text.parentElement as Element).textContent = mark + text.data;
  },
];

/** The texts that are not translated yet. */
function textsOf(root: Node): Text[] {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  return texts.filter(({ data }) => data.trim() && !data.includes(mark));
}

const textOf = ({ root }: { root: ShadowRoot }): string => (root.textContent ?? '').replaceAll(mark, '');

/**
 * Shows a checkout, and one for each translator. A step translates them and then does the same to all: the translated ones must show
 * the same text as the other.
 */
async function showTranslated(first: State, settings?: Settings) {
  const plain = await show(first, settings);
  const translated = await Promise.all(translators.map(() => show(first, settings)));
  return async (act: (checkout: typeof plain) => unknown): Promise<void> => {
    for (const [index, { root }] of translated.entries()) textsOf(root).forEach(translators[index] as never);
    await Promise.all([plain, ...translated].map(act));
    await new Promise((resolve) => setImmediate(resolve));
    for (const checkout of translated) expect(textOf(checkout)).toBe(textOf(plain));
  };
}

/** A walk through every state, in which each screen follows each other one. */
function* everyTransition(): Generator<State> {
  const walked = new Set<string>();
  for (const [index, one] of everyState.entries()) {
    yield one;
    for (const other of everyState.slice(index + 1)) {
      const pair = `${one.name} ${other.name}`;
      if (!walked.has(pair)) yield* [other, one];
      walked.add(pair);
    }
  }
}

it('shows no text of an earlier state on a translated page', { timeout: 120_000 }, async () => {
  const step = await showTranslated({ name: 'loading', failures: 0 });
  for (const state of everyTransition())
    await step((checkout) => {
      checkout.state.value = state;
    });
});

it('goes on with the countdown and the labels of a translated page', async () => {
  const step = await showTranslated(shown('awaitingTransfer'));
  await step(({ advance }) => advance(61_000));
  for (const action of ['copyAll', 'qr']) {
    await step(({ root, settle }) => {
      const button = root.querySelector<HTMLElement>(`[data-action=${action}]`);
      button?.click();
      // This DOM cannot track the focus in several shadow roots.
      button?.blur();
      return settle();
    });
  }
  await step(({ localization, settle }) => {
    localization.setOptions({ text: { sent: 'Sent!' } });
    return settle();
  });
  await step(({ setTimeLeft }) => setTimeLeft(0));
});

it('keeps translators away from numbers, names and times', async () => {
  const { root } = await show(shown('awaitingTransfer'), {
    ussd: [{ bank: 'First Bank', template: '*894*{amount}*{account}#' }],
  });
  const values = root.querySelectorAll(
    '[data-field]:not([data-field=payBy]), .head bdi, .ussd a, .row .spoken',
  );
  expect(values.length).toBeGreaterThan(8);
  expect([...values].filter((value) => !value.closest('[translate=no]'))).toEqual([]);
});
