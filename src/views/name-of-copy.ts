import type { Messages, Text } from '../model/index.ts';
import type { CopyField } from './screen.ts';

const names: { readonly [Field in CopyField]?: keyof Messages } = {
  accountNumber: 'copyAccountNumber',
  amount: 'copyAmount',
  missing: 'copyMissing',
  reference: 'copyReference',
};

/**
 * What a button to copy is called, for those who do not see what it stands beside, and what is said when it was pressed: what stands
 * on the button (`copy`), and of what.
 */
export function nameOfCopy(field: CopyField, copy: string, text: Text): string {
  const name = names[field];
  return name ? text(name, { copy }) : `${text(field)}: ${copy}`;
}
