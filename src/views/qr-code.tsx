import type { JSX } from 'preact';
import { accountAsText } from '../model/more.ts';
import { LinkIcon } from './icon.tsx';
import type { TransferScreenProps } from './screen.ts';
import { viewToPay } from './view-to-pay.ts';

/** A button that shows the account, or the merchant's page to pay it on, as a QR code. The code that draws it is loaded when it is asked for. */
export function QrCode({ speech, settings, state, qr, setQr }: TransferScreenProps): JSX.Element {
  const { text } = speech;
  const { payLink } = settings;
  const said = payLink ?? accountAsText(viewToPay(state.payment), speech);
  const isShown = typeof qr === 'object' && qr.said === said;
  const toggle = async ({ currentTarget: button }: { currentTarget: Element }): Promise<void> => {
    if (isShown) return setQr('hidden');
    setQr('loading');
    try {
      const { drawQrCode } = await import('./draw-qr-code.ts');
      setQr({ ...drawQrCode(said), said });
      // A code that is cut off can not be scanned.
      button.nextElementSibling?.scrollIntoView({ block: 'nearest' });
    } catch {
      setQr('failed');
    }
  };
  return (
    <>
      <button
        type="button"
        part="link"
        data-action="qr"
        aria-expanded={isShown}
        aria-busy={qr === 'loading'}
        onClick={toggle}
      >
        <LinkIcon name="qr" />
        {text(isShown ? 'hideQr' : 'showQr')}
      </button>
      {qr === 'failed' && (
        <p class="qr" role="status">
          {text('qrFailed')}
        </p>
      )}
      {isShown && (
        <svg
          class="qr"
          part="qr"
          role="img"
          aria-label={text(payLink ? 'qrLinkLabel' : 'qrLabel')}
          viewBox={`-4 -4 ${qr.size + 8} ${qr.size + 8}`}
        >
          <path d={qr.path} />
        </svg>
      )}
    </>
  );
}
