import type { Messages } from '../../i18n/messages.ts';
import type { Translate } from '../../i18n/translator.ts';

/** Returns the message on a copy button. */
export const copyLabel = (isCopied: boolean | undefined): keyof Messages =>
  isCopied === undefined ? 'copy' : isCopied ? 'copied' : 'pressToCopy';

const nameKeys: { readonly [Field in keyof Messages]?: keyof Messages } = {
  accountNumber: 'copyAccountNumber',
  amount: 'copyAmount',
  missing: 'copyMissing',
  reference: 'copyReference',
};

/** Returns a copy button's accessible name, which is also announced on a press: its label and the field. */
export function copyButtonName(field: keyof Messages, label: string, text: Translate): string {
  const key = nameKeys[field];
  return key ? text(key, { copy: label }) : `${text(field)}: ${label}`;
}
