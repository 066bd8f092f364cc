import type { JSX } from 'preact';
import { accountAsText } from '../model/more.ts';
import { hasCopied, labelOfCopy } from './copy-button.tsx';
import { LinkIcon } from './icon.tsx';
import type { TransferScreenProps } from './screen.ts';
import { shareText } from './share-text.ts';
import { viewToPay } from './view-to-pay.ts';

/** Sends what is to be paid, or where, to somebody else who pays. Where the merchant offers it. */
export function AskToPay(screen: TransferScreenProps): JSX.Element | null {
  const { speech, settings, state } = screen;
  const { payLink, shareDetails, merchantName } = settings;
  if (!shareDetails) return null;
  const value = payLink ?? accountAsText(viewToPay(state.payment), speech);
  const shared = { ...screen, field: 'askToPay' as const, value };
  const worked = hasCopied(shared);
  const data = {
    ...(merchantName && { title: merchantName }),
    ...(payLink ? { url: payLink } : { text: value }),
  };
  return (
    <button
      type="button"
      part="link"
      data-action="askToPay"
      onClick={({ currentTarget }) =>
        shareText(shared, data, currentTarget.closest('.card')?.querySelector('dl'))
      }
    >
      <LinkIcon name={worked ? 'done' : 'share'} />
      {speech.text(worked === undefined ? 'askToPay' : labelOfCopy(worked))}
    </button>
  );
}
