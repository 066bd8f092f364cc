import { formatAccountNumber } from '../../format/text.ts';
import { usePanel } from '../model/panel-context.ts';

/** Copies a text, and reports success only after it is copied. */
export function CopyButton({ label, value }: { label: string; value: string }) {
  const { report } = usePanel();
  const copy = async (): Promise<void> => {
    try {
      // Undefined unless the page is served from localhost or over HTTPS; then this throws, too.
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

/** An account number, grouped for reading and copied without spaces. */
export function AccountNumber({ number }: { number: string }) {
  return (
    <span class="account" data-field="accountNumber">
      {formatAccountNumber(number)}
      <CopyButton label={`account number ${number}`} value={number} />
    </span>
  );
}
