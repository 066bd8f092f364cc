import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { accountAsText, type PaymentView, type Text } from '../model/index.ts';

type Shown = 'hidden' | 'loading' | 'failed' | { readonly size: number; readonly path: string };

/** A button that shows the account as a QR code. The code that draws it is loaded when it is asked for. */
export function QrCode({ text, payment }: { text: Text; payment: PaymentView }): JSX.Element {
  const shown = useSignal<Shown>('hidden');
  const code = shown.value;
  const toggle = async (): Promise<void> => {
    if (shown.value !== 'hidden' && shown.value !== 'failed') {
      shown.value = 'hidden';
      return;
    }
    shown.value = 'loading';
    try {
      const { drawQrCode } = await import('./draw-qr-code.ts');
      if (shown.value === 'loading') shown.value = drawQrCode(accountAsText(payment, text));
    } catch {
      shown.value = 'failed';
    }
  };
  return (
    <div class="qr">
      <button type="button" class="quiet" aria-expanded={typeof code === 'object'} onClick={toggle}>
        {text(typeof code === 'object' ? 'hideQr' : 'showQr')}
      </button>
      {code === 'failed' && <p role="status">{text('qrFailed')}</p>}
      {typeof code === 'object' && (
        <svg role="img" aria-label={text('qrLabel')} viewBox={`-4 -4 ${code.size + 8} ${code.size + 8}`}>
          <path d={code.path} />
        </svg>
      )}
    </div>
  );
}
