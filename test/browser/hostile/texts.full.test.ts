import { fileURLToPath } from 'node:url';
import { build, type Rolldown } from 'vite';
import { describe, expect } from 'vitest';
import { languages } from '../../../src/i18n/languages.ts';
import { findFirefox, findWebKit } from '../../setup/browsers.ts';
import { startFirefox } from '../firefox-browser.ts';
import { screens } from '../gallery-page.ts';
import type { JourneyBrowser } from '../journey-page.ts';
import { complaintsOf } from '../journey-steps.ts';
import { startChromium } from '../playwright-browser.ts';
import { startWebKit } from '../webkit-browser.ts';
import { drivenTest } from './driven-test.ts';
import type { HostileLook } from './texts-page.ts';

async function bundlePage(): Promise<string> {
  const { output } = (await build({
    configFile: false,
    logLevel: 'silent',
    resolve: { tsconfigPaths: true },
    build: {
      write: false,
      rolldownOptions: {
        input: fileURLToPath(new URL('texts-page.ts', import.meta.url)),
        output: { codeSplitting: false },
      },
    },
  })) as Rolldown.RolldownOutput;
  return output[0].code;
}

/** The texts of each language, and those of a merchant who writes all of them, in both directions. Long texts take most of the time. */
const looks: readonly Omit<HostileLook, 'name'>[] = [
  { locale: 'en', isOwnText: false, letters: 10_000 },
  ...Object.keys(languages).map((locale) => ({ locale, isOwnText: false, letters: 500 })),
  ...['en', 'ar'].map((locale) => ({ locale, isOwnText: true, letters: 500 })),
];

function describeHostileTexts(browser: string, start: (() => Promise<JourneyBrowser>) | undefined): void {
  const it = drivenTest(browser, start);

  describe.skipIf(!start)(`in ${browser}, texts with markup, changes of direction and 10,000 letters`, () => {
    it('stay texts, and as wide as the page, on every screen in every language', async ({ shop, driven }) => {
      shop.addPage('/texts.js', await bundlePage());
      const page = await driven.newPage(360);
      await page.open(
        shop.addPage(
          '/texts',
          '<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><script src="/watch.js"></script><body><script type="module" src="/texts.js"></script>',
        ),
      );
      await expect.poll(() => page.evaluate(() => 'showHostile' in window)).toBe(true);
      const found: Record<string, string> = {};
      for (const look of looks)
        for (const { name } of screens) {
          // As one text, because WebKit's driver uses the page's own `toJSON` of lists.
          const faults = await page.evaluate(async (given) => (await window.showHostile(given)).join('; '), {
            name,
            ...look,
          });
          if (faults !== '') found[`${name} ${JSON.stringify(look)}`] = faults;
        }
      expect(found).toEqual({});
      expect(await complaintsOf(page)).toEqual([]);
    });
  });
}

describeHostileTexts('Chromium', startChromium);

const firefox = findFirefox();
describeHostileTexts('Firefox', firefox === undefined ? undefined : () => startFirefox(firefox));

const webKit = findWebKit();
describeHostileTexts('WebKit', webKit && (() => startWebKit(webKit)));
