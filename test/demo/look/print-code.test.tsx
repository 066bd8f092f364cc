import { describe, expect, it } from 'vitest';
import type { LookOptions } from '../../../demo/look/model/look.ts';
import { printImport, printScriptTag, printStyles } from '../../../demo/look/model/print-code.ts';
import { attributeName, readAttributes } from '../../../src/entry/attributes.ts';
import { resolveOptions } from '../../../src/entry/resolve-options.ts';
import { validateOptions } from '../../../src/options/options.ts';
import { runImportCode } from './look-in-process.tsx';

const everything: LookOptions = {
  appearance: {
    theme: 'dark',
    density: 'compact',
    variables: {
      accent: '#b4532a',
      'on-accent': 'white',
      background: 'rgb(10, 10, 10)',
      text: '#fff',
      line: '#8885',
      radius: '0',
      font: '"A </style> font", Georgia',
      'max-width': '20em',
    },
  },
  locale: 'pcm',
  text: {
    sent: 'I’ve "sent" it\\ </script><b>\u2028`',
    refundPolicy: '"key": one\n"other": two',
  },
};

const looks: readonly (readonly [string, LookOptions])[] = [
  ['nothing', {}],
  ['everything', everything],
];

/** The options that the mount derives, as far as they are about the look. */
function lookOf(options: LookOptions): object {
  const { theme, variables, locale, text } = resolveOptions(validateOptions(options));
  return { theme, variables: withoutEmpty(variables), locale, text };
}

const withoutEmpty = (values: object): object =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));

/** Reads the custom properties of a style sheet, with CSS escapes in strings undone. */
function readStyles(css: string): object {
  if (css === '') return {};
  const [, declarations = ''] = /^\s*:root \{\n([^}]*)\}\s*$/.exec(css) ?? [];
  const lines = declarations.trim().split('\n');
  return Object.fromEntries(
    lines.map((line) => {
      const [, name = '', value = ''] = /^\s*(--[\w-]+): (.+);$/.exec(line) ?? [];
      return [
        name,
        value.replace(/\\([\da-f]+) /g, (_, code) => String.fromCodePoint(Number.parseInt(code, 16))),
      ];
    }),
  );
}

/** Reads the look from a page as the widget does: attributes, properties that a script sets, and style sheets. */
function readPage(html: string): object {
  const page = document.createElement('main');
  page.innerHTML = html;
  const target = page.querySelector<HTMLElement>('transfer-checkout, [data-transfer-checkout]');
  if (!target) throw new Error('The page has no checkout.');
  const isButton = target.tagName === 'BUTTON';
  const options = readAttributes(
    (name) => (isButton ? target.dataset[name] : target.getAttribute(attributeName(name))) ?? undefined,
  );
  const script = page.querySelector('script:not([src])')?.textContent;
  if (script) new Function('document', script)(page);
  const { theme, variables, locale } = resolveOptions(validateOptions(options));
  const styles = readStyles(page.querySelector('style')?.textContent ?? '');
  const { text } = target as { text?: object };
  return { theme, variables: { ...withoutEmpty(variables), ...styles }, locale, text };
}

describe('the look of a page with the printed code', () => {
  it.each(looks)('is the chosen one, by npm: %s', (_, options) => {
    expect(runImportCode(printImport(options))).toEqual(options);
  });

  it.each(looks)('is the chosen one, by script tag: %s', (_, options) => {
    expect(readPage(printScriptTag(options))).toEqual(lookOf(options));
  });

  it.each(looks)('is the chosen one, as CSS, which can set the variables: %s', (_, options) => {
    expect(readStyles(printStyles(options))).toEqual(
      withoutEmpty(resolveOptions(validateOptions(options)).variables),
    );
  });
});

describe('the printed code', () => {
  it('leaves out options that have their default', () => {
    expect(printImport({})).toBe(
      'import { mountCheckout } from "transfer-checkout";\n\nmountCheckout(document.querySelector("#pay"));\n',
    );
    expect(printScriptTag({})).toBe(`<script src="/assets/checkout.js" async></script>

<button type="button" data-transfer-checkout>
  Pay by bank transfer
</button>
`);
    expect(printStyles({})).toBe('');
  });

  it('cannot end its script or style element early', () => {
    const html = printScriptTag(everything);
    expect(html.match(/<\/script>/g)).toHaveLength(2);
    expect(html.match(/<\/style>/g)).toHaveLength(1);
  });
});
