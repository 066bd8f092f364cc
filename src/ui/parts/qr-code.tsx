import type { JSX } from 'preact';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { useCheckout } from '../hooks/use-checkout.ts';
import { useLazyPart } from '../hooks/use-lazy-part.ts';
import { LinkIcon } from './icon.tsx';

export const importQrCode = () => import('../lazy/qr-code.ts');

/** A button that shows the account, or the merchant's page to pay it on, as a QR code. What draws it is loaded when it is asked for. */
export function QrCode({ content }: { content: string }): JSX.Element {
  const { translator, settings } = useCheckout();
  const { text } = translator.value;
  const { lazy, load, forget } = useLazyPart('qr-code', importQrCode);
  const code = useMemo(() => draw(lazy, content), [lazy, content]);
  const image = useRef<SVGSVGElement>(null);
  // A code that is cut off can not be scanned.
  useLayoutEffect(() => image.current?.scrollIntoView({ block: 'nearest' }), [code]);
  return (
    <>
      <button
        type="button"
        part="link"
        data-action="qr"
        aria-expanded={!!code}
        aria-busy={lazy.name === 'loading'}
        onClick={code ? forget : load}
      >
        <LinkIcon name="qr" />
        {text(code ? 'hideQr' : 'showQr')}
      </button>
      {(lazy.name === 'failed' || code === null) && (
        <p class="qr" role="status">
          {text('qrFailed')}
        </p>
      )}
      {code && (
        <svg
          class="qr"
          part="qr"
          role="img"
          aria-label={text(settings.value.payLink ? 'qrLinkLabel' : 'qrLabel')}
          viewBox={`-4 -4 ${code.size + 8} ${code.size + 8}`}
          ref={image}
        >
          <path d={code.path} />
        </svg>
      )}
    </>
  );
}

type Lazy = ReturnType<typeof useLazyPart<Awaited<ReturnType<typeof importQrCode>>>>['lazy'];

/** Undefined before it is asked for; null where it is too much for a code. */
function draw(lazy: Lazy, content: string): { size: number; path: string } | null | undefined {
  if (lazy.name !== 'loaded') return undefined;
  try {
    return lazy.part.drawQrCode(content);
  } catch {
    return null;
  }
}
