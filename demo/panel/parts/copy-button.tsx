import { formatAccountNumber } from '../model/format.ts';
import { usePanel } from '../model/panel-context.ts';

/** Copies a text, and says so only once it is copied. */
export function CopyButton({ label, value }: { label: string; value: string }) {
  const { report } = usePanel();
  const copy = async (): Promise<void> => {
    try {
      // Missing where the page is not served from localhost or by HTTPS: that is a refusal like any other.
      await navigator.clipboard.writeText(value);
      report(`Copied the ${label}.`);
    } catch {
      report(`The browser did not allow copying. Select the ${label} and copy it yourself.`, 'problem');
    }
  };
  return (
    <button type="button" class="copy" aria-label={`Copy the ${label}`} onClick={copy}>
      Copy
    </button>
  );
}

/** An account number, in groups to read and whole to copy. */
export function AccountNumber({ number }: { number: string }) {
  return (
    <span class="account" data-field="accountNumber">
      {formatAccountNumber(number)}
      <CopyButton label={`account number ${number}`} value={number} />
    </span>
  );
}
