import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { maxQrBytes } from '../../contract/index.ts';
import { loadPart } from '../../core/load-part.ts';
import { useCheckout } from '../context.tsx';
import { whenIdle } from '../dom/page.ts';
import { LinkIcon } from './icon.tsx';
import { Text } from './text.tsx';

const importQrCode = () => import('../lazy/qr-code.ts');

type Code = { readonly draw: (canvas: HTMLCanvasElement) => void };

export const fitsQrCode = (content: string): boolean =>
  new TextEncoder().encode(content).length <= maxQrBytes;

/**
 * A button that shows a QR code. Only people read the account details (`isForPeople`); bank apps read what the shop gives. The drawing
 * code is loaded on demand.
 */
export function QrCode({ content, isForPeople }: { content: string; isForPeople: boolean }): JSX.Element {
  const { translator, viewState } = useCheckout();
  const { text } = translator.value;
  const [shown, setShown] = useState<Code | 'loading'>();
  const code = typeof shown === 'object' ? shown : undefined;
  const button = useRef<HTMLButtonElement>(null);
  const image = useRef<HTMLCanvasElement>(null);
  // When the browser is idle, so that it works without a network later; not where styles hide it.
  useEffect(
    () =>
      whenIdle(() => {
        if (button.current?.getClientRects().length) loadPart('qr-code', importQrCode).catch(() => {});
      }),
    [],
  );
  const fail = (): void => {
    setShown(undefined);
    viewState.setHint(text('qrFailed'));
  };
  useLayoutEffect(() => {
    const { current: canvas } = image;
    if (!code || !canvas) return;
    try {
      code.draw(canvas);
      // A code that is cut off cannot be scanned.
      canvas.parentElement?.scrollIntoView({ block: 'nearest' });
    } catch {
      fail();
    }
  }, [code]);
  const show = async (): Promise<void> => {
    setShown('loading');
    viewState.setHint(undefined);
    try {
      const { createQrCode } = await loadPart('qr-code', importQrCode);
      setShown({ draw: createQrCode(content) });
    } catch {
      fail();
    }
  };
  return (
    <>
      <button
        type="button"
        // A phone cannot scan its own screen; a link or a bank's code is for another person's phone, too.
        class={isForPeople ? 'wide' : ''}
        part="link"
        data-action="qr"
        aria-expanded={!!code}
        aria-busy={shown === 'loading'}
        onClick={code ? () => setShown(undefined) : show}
        ref={button}
      >
        <LinkIcon name="qr" />
        <Text>{text(code ? 'hideQr' : 'showQr')}</Text>
      </button>
      {code && (
        <div class="code">
          <canvas
            class="qr"
            part="qr"
            role="img"
            aria-label={text(/^https?:/.test(content) ? 'qrLinkLabel' : 'qrLabel')}
            ref={image}
          />
          {isForPeople && <Text as="p">{text('qrLead')}</Text>}
        </div>
      )}
    </>
  );
}
