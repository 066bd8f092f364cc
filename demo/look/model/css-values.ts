/** A custom property that the page offers. */
export type CssValueSpec = {
  readonly label: string;
  /** The CSS property that takes the same values. */
  readonly property: string;
  /** Completes "Write …" in the message about an invalid value. */
  readonly example: string;
  readonly hint?: string;
  /** The control beside the text field: a colour picker, or a slider in pixels. */
  readonly picker?: 'color' | { readonly min: number; readonly max: number; readonly usual: number };
  readonly suggestions?: readonly string[];
};

const color = {
  property: 'color',
  example: 'a colour such as #0a6b5a, rebeccapurple or oklch(60% 0.15 150)',
  picker: 'color',
} as const;

const radius = {
  property: 'border-radius',
  example: 'a length such as 12px or 0.5em',
} as const;

/** The offered values, by custom property without `--checkout-`. */
export const cssValues = {
  accent: {
    ...color,
    label: 'Accent',
    hint: 'Buttons and links. Any colour works: where it is text, the checkout darkens or lightens it until it is readable.',
  },
  'on-accent': {
    ...color,
    label: 'Text on the accent',
    hint: 'By default black or white, whichever has more contrast. Your own colour is not adjusted.',
  },
  background: {
    ...color,
    label: 'Background',
    hint: 'Choose the theme that it resembles: the accent as text is adjusted for that theme.',
  },
  text: { ...color, label: 'Text', hint: 'Not adjusted: it needs a contrast of 4.5:1 with the background.' },
  line: { ...color, label: 'Lines' },
  success: { ...color, label: 'Success', hint: 'The tick of a payment that has arrived.' },
  warning: { ...color, label: 'Warnings', hint: 'Not adjusted.' },
  'warning-background': { ...color, label: 'Behind warnings', hint: 'Warning icons and the test mode.' },
  'panel-background': { ...color, label: 'Behind the number', hint: 'The account number, and quiet icons.' },
  radius: { ...radius, label: 'Corner radius', picker: { min: 0, max: 32, usual: 16 } },
  'button-radius': { ...radius, label: 'Buttons', picker: { min: 0, max: 32, usual: 10 } },
  'field-radius': { ...radius, label: 'Fields', picker: { min: 0, max: 32, usual: 10 } },
  'panel-radius': { ...radius, label: 'Account panel', picker: { min: 0, max: 32, usual: 12 } },
  border: {
    label: 'Border',
    property: 'border',
    example: 'a border such as 2px solid #111, or 0',
    suggestions: ['0', '1px solid #d0d5da', '2px solid currentcolor'],
  },
  shadow: {
    label: 'Shadow',
    property: 'box-shadow',
    example: 'a shadow such as 0 8px 24px #0002, or none',
    suggestions: ['none', '0 12px 40px #0003', '6px 6px 0 #111'],
  },
  'max-width': {
    label: 'Maximum width',
    property: 'max-width',
    example: 'a length such as 480px or 24em',
    hint: 'The checkout is as wide as its place on the page, up to this.',
    picker: { min: 280, max: 640, usual: 448 },
  },
  font: {
    label: 'Font',
    property: 'font-family',
    example: 'font names with commas, such as Georgia, serif',
    hint: 'A font of the device, or one that your page loads.',
    suggestions: ['Georgia, serif', 'ui-rounded, system-ui, sans-serif', 'Verdana, sans-serif', 'monospace'],
  },
  'font-size': {
    label: 'Font size',
    property: 'font-size',
    example: 'a size such as 1.125rem',
    hint: 'In rem, it follows the reader’s text size.',
  },
  gap: {
    label: 'Spacing',
    property: 'row-gap',
    example: 'a length such as 0.75em',
    hint: 'The space between the parts, instead of the density’s.',
  },
} as const satisfies { readonly [name: string]: CssValueSpec };

export type CssValueName = keyof typeof cssValues;
export type CssValues = { readonly [name in CssValueName]?: string };

export const cssValueNames = Object.keys(cssValues) as CssValueName[];

/** Returns whether a value can be written into a style sheet as the value of a custom property. */
export function isValidCssValue(name: CssValueName, value: string): boolean {
  const { property } = cssValues[name];
  return isAccepted(property, value) && isClosed(property, value) && !dependsOnElsewhere.test(value);
}

/** Keywords and functions that take their value from elsewhere, which a custom property would not. */
const dependsOnElsewhere = /^(inherit|initial|unset|revert|revert-layer)$|\b(var|env|attr)\(/i;

function isAccepted(property: string, value: string): boolean {
  const { style } = document.createElement('div');
  style.setProperty(property, value);
  return style.getPropertyValue(property) !== '';
}

/** Browsers accept an open comment, string or bracket at the end, which would swallow the declarations after it. */
function isClosed(property: string, value: string): boolean {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`a { ${property}: ${value}; top: 1px }`);
  const [rule] = sheet.cssRules;
  return sheet.cssRules.length === 1 && (rule as CSSStyleRule).style.top === '1px';
}
