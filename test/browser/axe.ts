import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

/** The script of axe. It runs by `page.evaluate`, which a content security policy does not block. */
export const axeSource = await readFile(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
);

const everyRule = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'];

/** Returns axe's violations on a page that has its script, each with the start of its element. */
export const findViolations = (page: Page, rules: readonly string[] = everyRule): Promise<string[]> =>
  page.evaluate(async (runOnly) => {
    const { axe } = window as unknown as { axe: typeof import('axe-core') };
    const { violations } = await axe.run(document, { runOnly: [...runOnly], resultTypes: ['violations'] });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
  }, rules);
