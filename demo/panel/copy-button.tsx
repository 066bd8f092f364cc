import type { PanelModel } from './panel-model.ts';

export type CopyButtonProps = { label: string; value: string; report: PanelModel['report'] };

/** Copies a text, and says so only once it is copied. */
export function CopyButton({ label, value, report }: CopyButtonProps) {
  const copy = async (): Promise<void> => {
    try {
      // Missing where the page is not served from localhost or by HTTPS: that is a refusal like any other.
      await navigator.clipboard.writeText(value);
      report(`Copied the ${label}: ${value}`);
    } catch {
      report(`The browser did not allow copying. The ${label} is ${value}`, 'problem');
    }
  };
  return (
    <button type="button" class="small" aria-label={`Copy the ${label}`} onClick={copy}>
      Copy
    </button>
  );
}
