import { formatAccountNumber } from '../panel-text.ts';
import { CopyButton } from './copy-button.tsx';

/** An account number, in groups to read and whole to copy. */
export function AccountNumber({ number }: { number: string }) {
  return (
    <span class="account" data-field="accountNumber">
      {formatAccountNumber(number)}
      <CopyButton label={`account number ${number}`} value={number} />
    </span>
  );
}
