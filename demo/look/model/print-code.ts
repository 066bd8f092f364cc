import { attributeName } from '../../../src/entry/attributes.ts';
import { settingsOf } from '../../../src/entry/resolve-options.ts';
import { validateOptions } from '../../../src/options/options.ts';
import type { LookOptions } from './look.ts';

/** Prints the options for the npm package. */
export function printImport(options: LookOptions): string {
  const given = Object.keys(options).length > 0 ? `, ${printObject(options)}` : '';
  return `import { mountCheckout } from "transfer-checkout";

mountCheckout(document.querySelector("#pay")${given});
`;
}

/** Prints the options as HTML: attributes, a style sheet for the variables, and a script for the texts. */
export function printScriptTag({ appearance = {}, locale, text }: LookOptions): string {
  const { theme, density, variables } = appearance;
  const styles = variables && `<style>\n${indent(printStyles({ appearance: { variables } }))}</style>\n`;
  const attributes = Object.entries({ theme, density, locale }).filter(([, value]) => value !== undefined);
  return ['<script src="/assets/checkout.js" async></script>\n', styles, printTarget(attributes, text)]
    .filter(Boolean)
    .join('\n');
}

type Attributes = readonly (readonly [option: string, value: unknown])[];

/** A button has no attribute for texts, so these need the element. */
function printTarget(attributes: Attributes, text: LookOptions['text']): string {
  const print = (prefix: string): string =>
    attributes.map(([option, value]) => ` ${prefix}${attributeName(option)}="${value}"`).join('');
  if (!text) {
    return `<button type="button" data-transfer-checkout${print('data-')}>\n  Pay by bank transfer\n</button>\n`;
  }
  // `</script>` inside a text would end the script.
  const script = `document.querySelector("transfer-checkout").text = ${printObject(text).replaceAll('<', '\\u003c')};`;
  return `<transfer-checkout${print('')}></transfer-checkout>\n<script>\n${indent(`${script}\n`)}</script>\n`;
}

/** Prints the custom properties, for any style sheet of the page. */
export function printStyles({ appearance }: LookOptions): string {
  const lines = Object.entries(settingsOf(validateOptions({ appearance })).variables)
    .filter(([, value]) => value !== '')
    // Only strings can contain `<`, which could otherwise end a style element.
    .map(([name, value]) => `  ${name}: ${value.replaceAll('<', '\\3c ')};\n`);
  return lines.length > 0 ? `:root {\n${lines.join('')}}\n` : '';
}

/** Prints an object as JavaScript. JSON with unquoted names is easier to read. */
const printObject = (value: object): string =>
  JSON.stringify(value, null, 2).replace(/^( *)"(\w+)":/gm, '$1$2:');

/** Splits at line feeds only: `^` would also match after other line separators, which a text can contain. */
const indent = (lines: string): string =>
  lines
    .split('\n')
    .map((line) => line && `  ${line}`)
    .join('\n');
