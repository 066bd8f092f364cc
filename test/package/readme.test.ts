import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { defaultDialect } from '../../server-kit/api/dialect.ts';
import { endpoints } from '../../server-kit/api/endpoints.ts';
import { acceptedAmountPolicies } from '../../server-kit/api/payment.ts';
import { checkoutOptionNames } from '../../server-kit/checkout-options.ts';
import { defaultLimits } from '../../server-kit/routes/access/request-limits.ts';
import { controlCalls } from '../../server-kit/sandbox/control/control.ts';
import { sandboxErrors } from '../../server-kit/sandbox/errors/error-codes.ts';
import {
  accountRequestTransitions,
  createSandbox,
  dedicatedAccountTransitions,
  invoiceTransitions,
  paymentTransitions,
  payoutConfirmationTransitions,
  payoutTransitions,
} from '../../server-kit/sandbox/index.ts';
import { checkoutErrorStatus } from '../../src/contract/index.ts';
import { checkoutEventNames } from '../../src/core/index.ts';
import { callbackName, optionNames } from '../../src/mount/options/options.ts';
import { writtenOptions } from '../../src/mount/options/written-options.ts';
import { projectFolder } from '../setup/demo-process.ts';
import { freePort } from '../setup/reserve-port.ts';
import { runTool } from './tool.ts';

const readme = readFileSync(join(projectFolder, 'README.md'), 'utf8');
const rows = readme.split('\n').filter((line) => line.startsWith('|'));

const transitionTables = {
  payment: paymentTransitions,
  'account request': accountRequestTransitions,
  'dedicated account': dedicatedAccountTransitions,
  payout: payoutTransitions,
  confirmation: payoutConfirmationTransitions,
  invoice: invoiceTransitions,
};

/** Each field of the dialect, those of `listParameters` one by one, with its default as the README writes it. */
function dialectFields(): [string, string][] {
  return Object.entries(defaultDialect).flatMap(([field, value]): [string, string][] => {
    const isGroup = typeof value === 'object' && !Array.isArray(value);
    if (!isGroup)
      return [
        [
          field,
          [value]
            .flat()
            .map((one) => `\`${one}\``)
            .join(', '),
        ],
      ];
    return Object.entries(value).map(([name, inner]) => [`${field}.${name}`, `\`${inner}\``]);
  });
}

describe('README.md', () => {
  it('has the two lines that do all the set-up on its first screen', () => {
    const firstScreen = readme.split('\n').slice(0, 20).join('\n');
    expect(firstScreen).toContain('npm ci && npm start');
    expect(firstScreen).toContain('npm ci && npm test');
  });

  it.each(Object.entries(checkoutErrorStatus))('lists the error code %s with its status', (code, status) => {
    expect(rows.some((row) => row.startsWith(`| \`${code}\` | ${status ?? 'in the browser'} |`))).toBe(true);
  });

  it.each(checkoutEventNames)('lists the event %s with its callback', (name) => {
    const start = `| \`${name.toLowerCase()}\` | \`${callbackName(name)}\` |`;
    expect(rows.filter((row) => row.startsWith(start)).length).toBe(1);
  });

  it.each(optionNames)('lists the option %s of the widget', (name) => {
    expect(rows.some((row) => row.split(' | ')[0]?.includes(`\`${name}\``))).toBe(true);
  });

  it('lists the options of createCheckout, all of them and no other', () => {
    const [, table = ''] = readme.split('\n| option of `createCheckout` | |\n|---|---|\n');
    const firstCells = table
      .slice(0, table.indexOf('\n\n'))
      .split('\n')
      .map((row) => row.split('|')[1] ?? '');
    const listed = firstCells.flatMap((cell) => cell.match(/\w+/g) ?? []);
    expect(listed.sort()).toEqual([...checkoutOptionNames].sort());
  });

  it.each(Object.keys(defaultLimits))('names the limit %s', (limit) => {
    expect(rows.find((row) => row.startsWith('| `limits` |'))).toContain(`\`${limit}\``);
  });

  it.each(dialectFields())('lists the field %s of the dialect with its default', (field, value) => {
    expect(rows.some((row) => row.startsWith(`| \`${field}\` | ${value} |`))).toBe(true);
  });

  it.each(Object.entries(endpoints))(
    'lists the call %s with its endpoint',
    (operation, { section, method, path }) => {
      expect(rows).toContain(`| \`${operation}\` | ${section} | \`${method} ${path}\` |`);
    },
  );

  it.each(Object.values(controlCalls))('lists the control call $method $path', ({ method, path }) => {
    expect(rows.some((row) => row.startsWith(`| \`${method} ${path}\` |`))).toBe(true);
  });

  it.each(Object.entries(transitionTables))('lists the states of: %s', (record, transitions) => {
    const [, table = ''] = readme.split(`\n| ${record} | may be followed by |\n|---|---|\n`);
    const listed = table
      .slice(0, table.indexOf('\n\n'))
      .split('\n')
      .map((row) => row.replace(/\(.*?\)/g, '').match(/`\w+`/g));
    const expected = Object.entries(transitions).map(([status, next]) => [status, ...next]);
    expect(listed).toEqual(expected.map((statuses) => statuses.map((status) => `\`${status}\``)));
  });

  it.each(Object.entries(sandboxErrors))('lists the refusal %s of the sandbox', (code, { status, type }) => {
    expect(rows).toContain(`| \`${code}\` | ${status} | \`${type}\` |`);
  });

  it.each(acceptedAmountPolicies)('says what %s takes', (policy) => {
    expect(rows.some((row) => row.startsWith(`| \`${policy}\``))).toBe(true);
  });

  it('has a sample of the sandbox that prints what it says it prints', async () => {
    const [, sample = ''] = /```ts\n(import \{ createSandbox[\s\S]*?)```/.exec(readme) ?? [];
    const { code, output } = await runTool('node', ['--input-type=module', '--eval', sample]);
    expect({ code, output }).toEqual({ code: 0, output: 'succeeded\n' });
  });

  it('has a test of a shop of ten lines, which passes, and fails for a shop that ships twice', async () => {
    const [, sample = ''] = /```ts\n(import \{ test \}[\s\S]*?)```/.exec(readme) ?? [];
    expect(sample.split('\n').filter(Boolean)).toHaveLength(10);
    const runSample = (code: string) => runTool('node', ['--input-type=module', '--eval', code]);
    expect(await runSample(sample)).toMatchObject({ code: 0, output: expect.stringContaining('pass 1') });
    const wrong = sample.replace('shipped, 1', 'shipped, 2');
    expect(await runSample(wrong)).toMatchObject({ code: 1, output: expect.stringContaining('fail 1') });
  });

  it('has a quick start that shows an account number in a browser', async () => {
    const [, sample = ''] = /```js\n([\s\S]*?)```/.exec(readme) ?? [];
    const port = await freePort();
    const here = sample
      .replace('port: 4010', 'port: 0')
      .replaceAll('3000', `${port}`)
      .replace('node_modules/transfer-checkout/dist', 'dist');
    const shop = spawn('node', ['--input-type=module', '--eval', here], { cwd: projectFolder });
    onTestFinished(() => void shop.kill());
    const browser = await chromium.launch({ executablePath: inject('chromiumPath'), args: ['--no-sandbox'] });
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    await expect
      .poll(() =>
        page.goto(`http://localhost:${port}`).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
    await page.locator('[data-field="accountNumber"]').first().waitFor();
  });

  it('has fixtures that a sandbox begins with', () => {
    const [, json = ''] = /```json\n([\s\S]*?)```/.exec(readme) ?? [];
    const { control } = createSandbox({ fixtures: JSON.parse(json) });
    expect(control.listPayments().map(({ reference }) => reference)).toEqual(['order-1']);
    expect([control.listPayouts(), control.listInvoices(), control.listTaxRates()]).toMatchObject([
      [{ amount: 250_000 }],
      [{ amountDue: 990_000 }],
      [{ name: 'VAT' }],
    ]);
  });

  it.each([...writtenOptions, 'theme', 'density', 'session', 'text', 'languages', 'appearance'])(
    'lists %s among what an element takes',
    (name) => {
      const [, section = ''] = readme.split('### Attributes');
      const attribute = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
      expect(section.slice(0, section.indexOf('###'))).toContain(`\`${attribute}\``);
    },
  );

  it('has samples for pages that fit the types of the package', async () => {
    const section = readme.slice(readme.indexOf('## On your page'), readme.indexOf('## On your server'));
    const samples = [...section.matchAll(/```(tsx?)\n([\s\S]*?)```/g)];
    expect(samples.length).toBeGreaterThan(4);
    const folder = await mkdtemp(join(projectFolder, 'build', 'readme-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    for (const [index, [, kind, sample = '']] of samples.entries()) {
      await writeFile(join(folder, `sample-${index}.${kind}`), sample);
    }
    // The built types, by the package's own name: as a shop gets them.
    const compilerOptions = { jsxImportSource: 'react', paths: {}, noUnusedLocals: false };
    const config = { extends: join(projectFolder, 'tsconfig.json'), compilerOptions, include: ['.'] };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
    const { code, output } = await runTool('tsc', ['-p', folder]);
    expect(code, output).toBe(0);
  });

  it('links to files and folders that exist', () => {
    const links = [...readme.matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map(([, path = '']) => path);
    expect(links.length).toBeGreaterThan(5);
    for (const path of links)
      expect(() => readFileSync(join(projectFolder, path)), path).not.toThrow(/ENOENT/);
  });
});
