import type { JSX } from 'preact';
import type { Messages } from '../../model/index.ts';
import type { CopyField } from '../hooks/copied.ts';
import { useCheckout } from '../hooks/use-checkout.ts';
import { labelOfCopy, nameOfCopy, useCopy } from '../hooks/use-copy.ts';
import { LinkIcon, type LinkIconName } from './icon.tsx';

export type CopyButtonProps = { readonly field: CopyField; readonly value: string };

/** Copies what stands before it, and says so only when it is true. */
export function CopyButton({ field, value }: CopyButtonProps): JSX.Element {
  const { text } = useCheckout().translator.value;
  const { worked, copy } = useCopy(field, value);
  const label = text(labelOfCopy(worked));
  return (
    <button
      type="button"
      part="copy"
      data-copied={worked}
      aria-label={nameOfCopy(field, label, text)}
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
  /** Shares this instead, where the device can. */
  readonly data?: ShareData;
};

/** Copies or shares the details of the screen, in words of its own. */
export function CopyLink({ field, value, action, label, icon, data }: CopyLinkProps): JSX.Element {
  const { text } = useCheckout().translator.value;
  const { worked, copy, share } = useCopy(field, value);
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
      <LinkIcon name={worked ? 'done' : icon} />
      {text(worked === undefined ? label : labelOfCopy(worked))}
    </button>
  );
}
