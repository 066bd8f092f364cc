import type { JSX } from 'preact';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { useCheckout } from '../hooks/use-checkout.ts';
import { useLazyPart, usePreload } from '../hooks/use-lazy-part.ts';
import { LinkIcon } from './icon.tsx';

const importQrCode = () => import('../lazy/qr-code.ts');

/** A button that shows a QR code of the account details, or of the merchant's `payLink`. The drawing code is loaded on demand. */
export function QrCode({ content }: { content: string }): JSX.Element {
  const { translator, model } = useCheckout();
  const { text } = translator.value;
  const { payLink } = model.settings.value;
  const { lazy, load, reset } = useLazyPart('qr-code', importQrCode);
  const code = useMemo(() => draw(lazy, content), [lazy, content]);
  const button = useRef<HTMLButtonElement>(null);
  const image = useRef<SVGSVGElement>(null);
  usePreload('qr-code', importQrCode, button);
  // A code that is cut off cannot be scanned.
  useLayoutEffect(() => image.current?.scrollIntoView({ block: 'nearest' }), [code]);
  return (
    <>
      <button
        type="button"
        // A phone cannot scan its own screen; a link is for another person's phone.
        class={payLink ? '' : 'wide'}
        part="link"
        data-action="qr"
        aria-expanded={!!code}
        aria-busy={lazy.name === 'loading'}
        onClick={code ? reset : load}
        ref={button}
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
          aria-label={text(payLink ? 'qrLinkLabel' : 'qrLabel')}
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

/** Returns undefined before the part is loaded, and null when the content is too long for a QR code. */
function draw(lazy: Lazy, content: string): { size: number; path: string } | null | undefined {
  if (lazy.name !== 'loaded') return undefined;
  try {
    return lazy.part.drawQrCode(content);
  } catch {
    return null;
  }
}
