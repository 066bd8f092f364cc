import type { JSX } from 'preact';
import type { Messages } from '../../model/index.ts';
import { type CopyField, useCheckout } from '../hooks/use-checkout.ts';
import { copyButtonName, copyLabel, useCopy } from '../hooks/use-copy.ts';
import { LinkIcon, type LinkIconName } from './icon.tsx';

export type CopyButtonProps = { readonly field: CopyField; readonly value: string };

/** Copies the value before it. Its label changes only after the copy has succeeded or failed. */
export function CopyButton({ field, value }: CopyButtonProps): JSX.Element {
  const { text } = useCheckout().translator.value;
  const { isCopied, copy } = useCopy(field, value);
  const label = text(copyLabel(isCopied));
  return (
    <button
      type="button"
      part="copy"
      data-copied={isCopied}
      aria-label={copyButtonName(field, label, text)}
      onClick={({ currentTarget }) => copy(currentTarget.previousElementSibling)}
    >
      {label}
    </button>
  );
}

export type CopyLinkProps = CopyButtonProps & {
  readonly action: string;
  readonly label: keyof Messages;
  readonly icon: LinkIconName;
  /** Shared instead, when the device can share. */
  readonly data?: ShareData | (() => Promise<ShareData>);
};

/** Copies or shares the details of the screen, as a link with a label of its own. */
export function CopyLink({ field, value, action, label, icon, data }: CopyLinkProps): JSX.Element {
  const { text } = useCheckout().translator.value;
  const { isCopied, copy, share } = useCopy(field, value);
  return (
    <button
      type="button"
      part="link"
      data-action={action}
      onClick={({ currentTarget }) => {
        const shown = currentTarget.closest('.card')?.querySelector('dl');
        return data ? share(data, shown) : copy(shown);
      }}
    >
      <LinkIcon name={isCopied ? 'done' : icon} />
      {text(isCopied === undefined ? label : copyLabel(isCopied))}
    </button>
  );
}
