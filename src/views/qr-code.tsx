import type { JSX } from 'preact';
import { missingAmount } from '../model/index.ts';
import { accountAsText } from '../model/more.ts';
import type { TransferScreenProps } from './screen.ts';

/** A button that shows the account as a QR code. The code that draws it is loaded when it is asked for. */
export function QrCode({ model, state, qr, setQr }: TransferScreenProps): JSX.Element {
  const { text } = model;
  const { amount } = state.payment;
  const toPay = { ...amount, value: missingAmount(state.payment) || amount.value };
  const said = accountAsText({ ...state.payment, amount: toPay }, model);
  const isShown = typeof qr === 'object' && qr.said === said;
  const toggle = async (): Promise<void> => {
    if (isShown) return setQr('hidden');
    setQr('loading');
    try {
      const { drawQrCode } = await import('./draw-qr-code.ts');
      setQr({ ...drawQrCode(said), said });
    } catch {
      setQr('failed');
    }
  };
  return (
    <>
      <button type="button" aria-expanded={isShown} aria-busy={qr === 'loading'} onClick={toggle}>
        {text(isShown ? 'hideQr' : 'showQr')}
      </button>
      {qr === 'failed' && <p role="status">{text('qrFailed')}</p>}
      {isShown && (
        <svg role="img" aria-label={text('qrLabel')} viewBox={`-4 -4 ${qr.size + 8} ${qr.size + 8}`}>
          <path d={qr.path} />
        </svg>
      )}
    </>
  );
}
