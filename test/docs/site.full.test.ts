import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { findViolations } from '../browser/axe.ts';
import { it } from '../browser/hosted-demo.ts';
import { runTool } from '../package/tool.ts';
import { projectFolder } from '../setup/demo-process.ts';

const { code, output } = await runTool('npm', ['run', 'docs', '--', 'site']);
if (code !== 0) throw new Error(output);

const folder = join(projectFolder, 'dist/demo/docs');
const files = readdirSync(folder, { encoding: 'utf8', recursive: true });
/** The site's pages, by path. */
const pages = new Map(
  files
    .filter((path) => path.endsWith('.html'))
    .map((path) => [path, readFileSync(join(folder, path), 'utf8')]),
);
const paths = [...pages.keys()];

const desktop = { viewport: { width: 1280, height: 800 } };

/** Opens a page, and collects what no page should cause: messages, failed requests and requests to other hosts. */
async function openPage(context: BrowserContext, url: string): Promise<{ page: Page; complaints: string[] }> {
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => {
    if (!request.url().startsWith(url) && !request.url().startsWith('data:')) complaints.push(request.url());
  });
  page.on('response', (response) => {
    if (response.status() >= 400) complaints.push(`${response.status()} ${response.url()}`);
  });
  return { page, complaints };
}

/** Pages that together have every kind of content: code, tabs, tables, notes and pictures. */
const colourful = ['index.html', 'guide/quick-start.html', 'guide/styling.html', 'server/checkout.html'];

/** The decisions are plain text, and look alike. */
const distinct = paths.filter((path) => !/decisions\/0(?!001)/.test(path));

/** Whether the site, or the demo around it, has a file at the address. */
const hasFile = (path: string): boolean => {
  const file = path.endsWith('/') || path === '' ? `${path}index.html` : path;
  return file.startsWith('../')
    ? /^\.\.\/(index|gallery|look|panel)\.html$/.test(file)
    : files.includes(normalize(file));
};

/** Returns the beginning of each table that is wider than the text around it, or has to be scrolled. */
const findWideTables = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('.vp-doc table')]
      .filter((table) => {
        const { scrollWidth, clientWidth, parentElement } = table;
        const end = parentElement?.getBoundingClientRect().right ?? 0;
        return scrollWidth > clientWidth + 1 || table.getBoundingClientRect().right > end + 1;
      })
      .map((table) => table.textContent?.slice(0, 60) ?? ''),
  );

describe('the site of the documentation', () => {
  it('has a page for each file', () => {
    expect(paths.length).toBeGreaterThan(60);
  });

  it.for(paths)('links from %s to pages and headings that exist', (path) => {
    const html = pages.get(path) ?? '';
    const links = [...html.matchAll(/ href="(?!https?:)([^"#?]*)(?:#([^"]*))?"/g)];
    for (const [, file = '', anchor = ''] of links) {
      const target = file === '' ? path : join(dirname(path), file);
      expect(hasFile(target), `${path}: ${file}`).toBe(true);
      const name = decodeURIComponent(anchor);
      if (name !== '')
        expect(pages.get(target.replace(/\/$/, '/index.html')), `${file}#${name}`).toContain(` id="${name}"`);
    }
  });

  it.for(['light', 'dark'] as const)(
    'can be read by everyone on a phone in the %s theme',
    async (colorScheme, { site, newShopper }) => {
      const context = await newShopper({
        viewport: { width: 360, height: 740 },
        colorScheme,
        bypassCSP: true,
      });
      const { page, complaints } = await openPage(context, site.url);
      // Of axe's rules, only that on colour depends on the theme, and every page has the same colours.
      const isDark = colorScheme === 'dark';
      for (const path of isDark ? colourful : distinct) {
        await page.goto(`${site.url}/docs/${path}`);
        await page.locator('.VPDoc, .NotFound').first().waitFor();
        expect(await findViolations(page, isDark ? ['color-contrast'] : undefined), path).toEqual([]);
        const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect(tooWide, path).toBeLessThanOrEqual(0);
        expect(await findWideTables(page), path).toEqual([]);
      }
      expect(complaints).toEqual([]);
    },
  );

  it('cuts off no column on a desktop, and has an anchor for each row of the reference', async ({
    site,
    newShopper,
  }) => {
    const { page } = await openPage(await newShopper(desktop), site.url);
    for (const path of distinct) {
      await page.goto(`${site.url}/docs/${path}`);
      await page.locator('.VPDoc, .NotFound').first().waitFor();
      expect(await findWideTables(page), path).toEqual([]);
      const unnamed = page.locator('.vp-doc tbody tr:not([id])');
      if (path.startsWith('reference/')) expect(await unnamed.count(), path).toBe(0);
    }
    await page.goto(`${site.url}/docs/reference/widget-options.html#currencyDisplay`);
    await expect
      .poll(() => page.locator('#currencyDisplay').boundingBox())
      .toMatchObject({
        y: expect.toSatisfy((y: number) => y > 64 && y < 400),
      });
  });

  it('links the demo and the documentation, and loads no page of its own anew', async ({
    site,
    newShopper,
  }) => {
    const { page, complaints } = await openPage(await newShopper(desktop), site.url);
    await page.goto(`${site.url}/docs/guide/styling.html`);
    await page.evaluate(() => Object.assign(window, { isSame: true }));
    const menu = page.locator('.VPSidebar');
    for (const [name, path] of [
      ['Checkout server', 'server/checkout.html'],
      ['Decisions', 'decisions/'],
      ['Styling', 'guide/styling.html'],
    ] as const) {
      await menu.getByRole('link', { name, exact: true }).click();
      await page.waitForURL(`${site.url}/docs/${path}`);
    }
    expect(await page.evaluate(() => 'isSame' in window)).toBe(true);
    expect(complaints).toEqual([]);
    await page.getByRole('link', { name: 'Demo', exact: true }).click();
    await page.waitForURL(`${site.url}/`);
    await page.getByRole('link', { name: 'Documentation' }).click();
    await page.waitForURL(`${site.url}/docs/`);
  });

  it.for([
    ['docker', 'sandbox'],
    ['php', 'server/any-backend'],
    ['lambda', 'server/running'],
    ['refund', 'server/service'],
    ['he says he has paid', 'server/support'],
  ] as const)('finds %s on the page %s', async ([words, path], { site, newShopper }) => {
    const { page } = await openPage(await newShopper(), site.url);
    await page.goto(`${site.url}/docs/guide/styling.html`);
    await page.getByRole('button', { name: 'Search' }).first().click();
    await page.getByRole('searchbox').fill(words);
    await page.locator(`.VPLocalSearchBox .result[href*="/${path}.html"]`).first().waitFor();
  });

  it('finds text without another host', async ({ site, newShopper }) => {
    const { page, complaints } = await openPage(await newShopper(), site.url);
    await page.goto(`${site.url}/docs/guide/styling.html`);
    await page.getByRole('button', { name: 'Search' }).first().click();
    await page.getByRole('searchbox').fill('outcomes without a handler');
    await page.locator('.VPLocalSearchBox .result').first().click();
    await page.waitForURL(`${site.url}/docs/server/running.html*`);
    expect(complaints).toEqual([]);
  });

  it('shows the quick start of the framework that a reader chooses, or a link names', async ({
    site,
    newShopper,
  }) => {
    const { page, complaints } = await openPage(await newShopper(), site.url);
    const address = `${site.url}/docs/guide/quick-start.html`;
    const section = (name: string) => page.getByRole('tabpanel', { name });
    await page.goto(address);
    await page.getByRole('tab', { name: 'Next' }).click();
    await section('Next').waitFor();
    await page.keyboard.press('ArrowRight');
    await section('SvelteKit').getByText('+server.ts', { exact: false }).first().waitFor();
    expect(page.url()).toBe(`${address}#sveltekit`);
    expect(await page.getByRole('tabpanel').count()).toBe(1);
    await page.getByRole('button', { name: 'Search' }).first().click();
    await page.getByRole('searchbox').fill('quick start react router');
    await page.locator('.VPLocalSearchBox .result', { hasText: /Quick start.*React Router/s }).click();
    await section('React Router').waitFor();
    expect(await page.getByRole('heading', { name: 'React Router' }).boundingBox()).toMatchObject({
      y: expect.toSatisfy((y: number) => y > 64 && y < 300),
    });
    expect(complaints).toEqual([]);
  });

  it('shows the widget itself in its pages', async ({ site, newShopper }) => {
    const { page, complaints } = await openPage(await newShopper(), site.url);
    await page.goto(`${site.url}/docs/guide/screens-and-events.html`);
    const figure = page.locator('.live-screen').first();
    await figure.scrollIntoViewIfNeeded();
    const widget = figure.frameLocator('iframe');
    await widget.locator('[data-state="awaitingTransfer"]').waitFor();
    await figure.getByRole('button', { name: 'Expired', exact: true }).click();
    await widget.locator('[data-state="expired"]').waitFor();
    const { height = 0 } = (await figure.locator('iframe').boundingBox()) ?? {};
    await expect
      .poll(() => widget.locator('body').evaluate((body) => body.scrollHeight))
      .toBeLessThanOrEqual(height);
    expect(complaints).toEqual([]);
  });
});
