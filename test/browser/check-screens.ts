import type { BrowserContextOptions, Page } from 'playwright-core';
import { findViolations } from './axe.ts';
import { type GalleryPage, measure } from './gallery-page.ts';
import { nameOf, type Picture, pictures } from './pictures.ts';

const height = 640;

export const shopper: BrowserContextOptions = {
  viewport: { width: 360, height },
  timezoneId: 'Africa/Lagos',
  locale: 'en-GB',
};

/** Pictured screens in another theme, locale or width. */
export const otherLooks = pictures.filter((picture) => Object.keys(picture).length > 1);

/** Returns every shown button and link with its size. */
const findTargets = (page: Page): Promise<{ name: string; width: number; height: number }[]> =>
  page.evaluate(() => {
    const root = document.querySelector('main > div')?.shadowRoot;
    const shown = [...(root?.querySelectorAll('button, a') ?? [])].filter((one) => one.checkVisibility());
    return shown.map((element) => {
      // The copy button's area is its whole row.
      const row = getComputedStyle(element, '::after').content === 'none' ? null : element.closest('.row');
      const { width, height } = (row ?? element).getBoundingClientRect();
      return { name: element.textContent?.trim() ?? '', width, height };
    });
  });

/** Returns every button and link that the Tab key reaches before one above it, or before it in its line. */
const findDisorder = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const root = document.querySelector('main > div')?.shadowRoot;
    const reached = [
      ...(root?.querySelectorAll('.content:not([inert]) :is(button, a, summary)') ?? []),
    ].filter((one) => one.checkVisibility());
    const places = reached.map((one) => one.getBoundingClientRect());
    const isMirrored = root?.querySelector('.card')?.matches(':dir(rtl)');
    return reached
      .filter((_, index) => {
        const [here, next] = [places[index], places[index + 1]];
        if (!here || !next) return false;
        const middle = next.top + next.height / 2;
        const isBefore = isMirrored ? next.left >= here.right : next.right <= here.left;
        return middle < here.top || (middle < here.bottom && isBefore);
      })
      .map(({ textContent }) => textContent ?? '');
  });

/** Returns the named parts that leave the card or lie on one another, each by more than two pixels. */
const findCollisions = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const root = document.querySelector('main > div')?.shadowRoot;
    const card = root?.querySelector('.card')?.getBoundingClientRect() ?? new DOMRect();
    const named = root?.querySelectorAll<HTMLElement>(
      '.content:not([inert]) :is([part], [data-field], [data-action])',
    );
    const parts = [...(named ?? [])]
      .filter((one) => one.checkVisibility() && !one.closest('.spoken'))
      .map((one) => {
        const content = document.createRange();
        content.selectNodeContents(one);
        const inside = content.getBoundingClientRect();
        // The area of a copy button is its whole row.
        const box = one.matches('[part="copy"]') ? inside : one.getBoundingClientRect();
        return { one, box, inside, label: one.dataset.field ?? one.dataset.action ?? one.part.value };
      });
    const leaving = parts.filter(({ box, inside }) =>
      [box, inside].some(
        ({ width, left, right }) => width > 0 && (left < card.left - 2 || right > card.right + 2),
      ),
    );
    const overlaps = parts.flatMap(({ one, box, label }, index) =>
      parts
        .slice(index + 1)
        .filter(
          (other) =>
            !one.contains(other.one) &&
            Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left) > 2 &&
            Math.min(box.bottom, other.box.bottom) - Math.max(box.top, other.box.top) > 2,
        )
        .map((other) => `${other.label} lies on ${label}`),
    );
    return [...leaving.map(({ label }) => `${label} leaves the card`), ...overlaps];
  });

/** Returns the named parts whose text or background has a colour that is none of the card's tokens. */
const findStrayColors = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const card = document.querySelector('main > div')?.shadowRoot?.querySelector('.card');
    const probe = card?.appendChild(document.createElement('i'));
    if (!card || !probe) throw new Error('There is no card.');
    const names = ['bg', 'text', 'fill', 'on', 'ink', 'panel', 'warn', 'warn-panel', 'line', 'track'];
    const tokens = names.map((token) => {
      probe.style.color = `var(--${token})`;
      return getComputedStyle(probe).color;
    });
    probe.remove();
    // The QR code is black on white in every theme.
    const allowed = new Set([...tokens, 'rgba(0, 0, 0, 0)']);
    return [card, ...card.querySelectorAll(':is([part], [data-field], [data-action]):not([part="qr"])')]
      .filter((one) => one.checkVisibility())
      .flatMap((one) => {
        const { color, backgroundColor } = getComputedStyle(one);
        const stray = [color, backgroundColor].filter((value) => !allowed.has(value));
        return stray.map((value) => `${one.outerHTML.slice(0, 80)}: ${value}`);
      });
  });

/** Returns what does not fit into 320 px, and targets too small for a thumb. */
export async function findMisfits(page: Page): Promise<string[]> {
  await page.setViewportSize({ width: 320, height });
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  const small = (await findTargets(page)).filter((target) => Math.min(target.width, target.height) < 44);
  return [
    ...(width === 320 ? [] : [`${width} px wide`]),
    ...small.map((target) => JSON.stringify(target)),
    ...(await findCollisions(page)),
  ];
}

export async function showLook({ page, show }: GalleryPage, look: Picture): Promise<void> {
  const { name, width = 360, ...query } = look;
  await page.setViewportSize({ width, height });
  await show(name, query);
}

/** Shows screens, and returns where their parts are, and what is wrong with each: axe's violations, order, places, colours, and what does not fit. */
export async function checkScreens(gallery: GalleryPage, looks: readonly Picture[]) {
  const { page } = gallery;
  const places: Record<string, object> = {};
  const found: Record<string, unknown> = {};
  for (const look of looks) {
    await showLook(gallery, look);
    const sent = await page
      .locator('[data-action="sent"]')
      .evaluateAll(([button]) => button && button.getBoundingClientRect().y + scrollY);
    places[nameOf(look)] = { ...(await measure(page)), sent };
    const faults = {
      violations: await findViolations(page),
      disorder: await findDisorder(page),
      collisions: await findCollisions(page),
      colors: await findStrayColors(page),
      misfits: await findMisfits(page),
    };
    if (Object.values(faults).some(({ length }) => length > 0)) found[nameOf(look)] = faults;
  }
  return { places, found };
}
