import type { JSX } from 'preact';
import type { Text } from '../model/index.ts';
import type { CopyField, Screen } from './screen.ts';

type Props = Pick<Screen, 'copied' | 'setCopied' | 'more'> & {
  text: Text;
  field: CopyField;
  value: string;
};

/** Copies `value`, and says so only when it is true. Where nothing works, the text is left selected for the shopper. */
export function CopyButton({ text, field, value, copied, setCopied, more }: Props): JSX.Element {
  const worked = copied?.value === value ? copied.worked : undefined;
  return (
    <button
      type="button"
      part="copy"
      onClick={async ({ currentTarget }) => {
        let worked = true;
        try {
          await navigator.clipboard.writeText(value);
        } catch {
          // Plain http, old browsers, a refused permission.
          worked = !!more?.copySelection(value, currentTarget.previousElementSibling);
        }
        setCopied({ value, worked });
      }}
    >
      {text(worked === undefined ? 'copy' : worked ? 'copied' : 'pressToCopy')}
      <span class="spoken"> {text(field)}</span>
    </button>
  );
}
