import { loadLanguage } from '../../../src/i18n/choose-language.ts';
import { en } from '../../../src/i18n/en.ts';
import type { Messages } from '../../../src/i18n/messages.ts';

/** The texts that the page offers, by message key, each with a screen that shows it. */
export const texts = {
  transferLead: { label: 'Below the amount', screen: 'awaitingTransfer' },
  sent: { label: 'Button after the transfer', screen: 'awaitingTransfer' },
  backToShop: { label: 'Link to the shop', screen: 'awaitingTransfer' },
  succeededLead: { label: 'After the payment', screen: 'succeeded' },
  latePolicy: { label: 'Your policy for late money', screen: 'receivedLate' },
  refundPolicy: { label: 'Your policy for money to return', screen: 'failed' },
} as const satisfies { readonly [key in keyof Messages]?: { label: string; screen: string } };

export type TextKey = keyof typeof texts;
export type Texts = { readonly [key in TextKey]?: string };

export const textKeys = Object.keys(texts) as TextKey[];

/** Loads the default of each offered text: for a policy, our sentence that sends the shopper to the shop. */
export async function loadDefaultTexts(locale: string): Promise<{ readonly [key in TextKey]: string }> {
  const { messages } = await loadLanguage({ locale }, []);
  const defaults = { ...en, ...messages };
  return { ...defaults, latePolicy: defaults.askShop, refundPolicy: defaults.refundHelp };
}
