import type { JSX } from 'preact';
import type { Messages } from '../../model/index.ts';
import { type CopyField, useCheckout } from '../hooks/use-checkout.ts';
import { copyButtonName, copyLabel, useCopy } from '../hooks/use-copy.ts';
import { LinkIcon, type LinkIconName } from './icon.tsx';

export type CopyButtonProps = {
  readonly field: CopyField;
  readonly value: string;
  /** Shows the button as a link for the details of the screen, with a label and an icon of its own. */
  readonly link?: {
    readonly action: string;
    readonly label: keyof Messages;
    readonly icon: LinkIconName;
    /** Shared instead, when the device can share. */
    readonly data?: ShareData | (() => Promise<ShareData>);
  };
};

/** Copies the value before it, or the details of the screen. Shows a tick and "Copied" only after the copy has succeeded. */
export function CopyButton({ field, value, link }: CopyButtonProps): JSX.Element {
  const { text } = useCheckout().translator.value;
  const { isCopied, copy, share } = useCopy(field, value);
  const own = isCopied === undefined ? link : undefined;
  const icon = isCopied ? 'done' : link?.icon;
  const label = text(own?.label ?? copyLabel(isCopied));
  return (
    <button
      type="button"
      part={link ? 'link' : 'copy'}
      data-action={link?.action}
      data-copied={isCopied}
      aria-label={own ? undefined : copyButtonName(field, label, text)}
      onClick={({ currentTarget: button }) => {
        const shown = link ? button.closest('.card')?.querySelector('dl') : button.previousElementSibling;
        return link?.data ? share(link.data, shown) : copy(shown);
      }}
    >
      {icon && <LinkIcon name={icon} />}
      {label}
    </button>
  );
}
