import type { JSX } from 'preact';
import { referenceOf } from '../model/index.ts';
import { accountAsText } from '../model/more.ts';
import { copy, hasCopied, labelOfCopy } from './copy-button.tsx';
import { LinkIcon } from './icon.tsx';
import type { TransferScreenProps } from './screen.ts';
import { viewToPay } from './view-to-pay.ts';

/** Copies all the details at once, for somebody who pays elsewhere. */
export function CopyAll(screen: TransferScreenProps): JSX.Element {
  const { text } = screen.speech;
  const { payment } = screen.state;
  const props = {
    ...screen,
    field: 'details' as const,
    value: `${accountAsText(viewToPay(payment), screen.speech)}\n${text('reference')}: ${referenceOf(payment)}`,
  };
  const worked = hasCopied(props);
  return (
    <button
      type="button"
      part="link"
      data-action="copyAll"
      onClick={({ currentTarget }) => copy(props, currentTarget.closest('.card')?.querySelector('dl'))}
    >
      <LinkIcon name={worked ? 'done' : 'copy'} />
      {text(worked === undefined ? 'copyAll' : labelOfCopy(worked))}
    </button>
  );
}
