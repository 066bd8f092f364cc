import { type ComponentChildren, h, type JSX } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { CheckoutError, PaymentView, parseWebUrl } from '../contract/index.ts';
import { knownReference, stateOfPayment } from '../core/state.ts';
import { formatDateTime } from '../i18n/format-time.ts';
import { Checkout } from '../widget/checkout.tsx';
import { CheckoutProvider } from '../widget/context.tsx';
import { isPayable, payableView } from '../widget/description/payment-facts.ts';
import { accountAsText } from '../widget/description/plain-text.ts';
import { createRenderError } from '../widget/error-boundary.tsx';
import { createStaticModel } from '../widget/model/checkout-model.ts';
import css from '../widget/styles/checkout.css?inline';
import { writeAttributes } from './attributes.ts';
import { fileNameOf } from './file-names.ts';
import { checkAddress, type RenderOptions, renderedSettings } from './render-options.ts';
import renderedStyles from './rendered.css?inline';
import { parseGiven } from './resolve-options.ts';

/** The content of `checkout.css`, for servers that serve it themselves. */
export const checkoutStyles: string = css + renderedStyles;

/**
 * Returns the HTML of `<transfer-checkout>` with the account details, readable before any script runs and without one. Once
 * loaded, the script asks the server for the order's session as always, and takes over the HTML without a flash.
 *
 * Only the view of the session is written, never the client secret: HTML ends up in caches, logs and histories. Still, do not
 * let the page be cached: it contains an account.
 *
 * @param session the session that `createSession()` of the server-kit returns
 * @throws {CheckoutError} `invalid_options` when the session or an option is invalid; the message says what to write. `load_failed`
 * when the details cannot be rendered; the message has the reference
 */
export async function renderCheckout(session: PaymentView, options: RenderOptions): Promise<string> {
  const payment = parseGiven(
    PaymentView,
    session,
    'renderCheckout needs a session from createSession() of the server-kit.',
  );
  const { stylesheet, nonce, script, theme, density, id, preferredLanguages, timeZone, ...element } = options;
  const styles = renderStyles(stylesheet, nonce);
  checkAddress('script', script);
  const settings = renderedSettings(element, { theme, density });
  const state = stateOfPayment(payment, 'ok');
  const model = await createStaticModel(state, settings, preferredLanguages);
  const reader = { timeZone: timeZone ?? 'UTC', preferredLanguages };
  const translator = { ...model.translator.peek(), ...reader };
  const time = formatDateTime(payment.expiresAt, translator);
  const noScript = isPayable(state) ? translator.text('noScript', { time }) : undefined;
  try {
    return renderToString(
      <>
        {script !== undefined && <WidgetPreload script={script} />}
        <RenderedElement
          attributes={{ id, ...writeAttributes(element), theme, density }}
          plainText={isPayable(state) ? accountAsText(payableView(payment), translator) : undefined}
        >
          {styles}
          <div data-rendered="">
            <CheckoutProvider model={model} reader={reader}>
              <Checkout noScript={noScript} />
            </CheckoutProvider>
          </div>
        </RenderedElement>
      </>,
    );
  } catch (cause) {
    throw createRenderError(knownReference(state), cause);
  }
}

type RenderedElementProps = {
  readonly attributes: Readonly<Record<string, unknown>>;
  /** Shown by browsers without declarative shadow DOM. */
  readonly plainText: string | undefined;
  readonly children: ComponentChildren;
};

/** Renders the element. By `data-server-rendered` the script knows that it must wait until the parser has reached the content. */
const RenderedElement = ({ attributes, plainText, children }: RenderedElementProps): JSX.Element =>
  h(
    'transfer-checkout',
    { ...attributes, 'data-server-rendered': '' },
    <template shadowrootmode="open">{children}</template>,
    plainText && <PlainText text={plainText} />,
  );

const PlainText = ({ text }: { readonly text: string }): JSX.Element => (
  <p>
    {text.split('\n').map((line) => (
      <>
        {line}
        <br />
      </>
    ))}
  </p>
);

function renderStyles(stylesheet: string | undefined, nonce: string | undefined): JSX.Element {
  if (nonce !== undefined)
    return <style nonce={nonce} dangerouslySetInnerHTML={{ __html: checkoutStyles }} />;
  const href = checkAddress('stylesheet', stylesheet);
  if (href !== undefined) return <link rel="stylesheet" href={href} />;
  throw new CheckoutError('invalid_options', 'renderCheckout needs the option stylesheet or nonce.');
}

function WidgetPreload({ script }: { readonly script: string }): JSX.Element {
  const href = script.replace(/[^/]*$/, '') + fileNameOf('widget');
  const isAbsolute = parseWebUrl(script) !== undefined;
  return <link rel="modulepreload" href={href} {...(isAbsolute && { crossorigin: 'anonymous' as const })} />;
}
