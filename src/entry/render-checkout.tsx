import { type ComponentChildren, h, type JSX } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { CheckoutError, PaymentView, parseWebUrl } from '../contract/index.ts';
import { knownReference, stateOfPayment } from '../core/state.ts';
import { formatDateTime } from '../i18n/format-time.ts';
import { isAddress } from '../options/accepted-values.ts';
import type { Appearance } from '../options/appearance.ts';
import { type CheckoutOptions, type OptionName, type Settings, validateOptions } from '../options/options.ts';
import { Checkout } from '../widget/checkout.tsx';
import { CheckoutProvider } from '../widget/context.tsx';
import { isPayable, payableView } from '../widget/description/payment-facts.ts';
import { accountAsText } from '../widget/description/plain-text.ts';
import { createRenderError } from '../widget/error-boundary.tsx';
import { createStaticModel } from '../widget/model/checkout-model.ts';
import css from '../widget/styles/checkout.css?inline';
import { writeAttributes } from './attributes.ts';
import { fileNameOf } from './file-names.ts';
import renderedStyles from './rendered.css?inline';
import { parseGiven, settingsOf } from './resolve-options.ts';

/** The options that HTML cannot have, or not in the same form. */
type Unrendered = 'session' | 'appearance' | 'logo';

/** The options that become attributes or properties of the element. */
type ElementOptions = Pick<CheckoutOptions, Exclude<OptionName, Unrendered>> & {
  /** The shop's logo; see `CheckoutOptions`. */
  readonly logo?: string | undefined;
};

/** The checkout options that a server can render: those that `<transfer-checkout>` accepts as attributes, `text` and `languages`. */
export type RenderOptions = ElementOptions & {
  /**
   * The URL of `checkout.css`, which is beside `checkout.js`: a path or an http(s) URL. It blocks the first paint. Required unless
   * there is a `nonce`.
   */
  readonly stylesheet?: string | undefined;
  /**
   * The nonce of the page's content security policy for styles; empty where the page has no such policy. With it the styles are
   * written into the HTML.
   */
  readonly nonce?: string | undefined;
  /** The URL of `checkout.js`. The page then preloads the widget. */
  readonly script?: string | undefined;
  /** Default: `auto`. */
  readonly theme?: Appearance['theme'];
  /** Default: `comfortable`. The page's own style sheet sets all other styles: `--checkout-accent` and so on. */
  readonly density?: Appearance['density'];
  /** The element's `id`. */
  readonly id?: string | undefined;
  /** The reader's languages, best first, as in `Accept-Language`. Used when `locale` leaves a choice. */
  readonly preferredLanguages?: readonly string[] | undefined;
  /** The time zone of the times in the HTML, which name it. Default: `UTC`. The script then uses the reader's own. */
  readonly timeZone?: string | undefined;
};

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
  const {
    stylesheet,
    nonce,
    script,
    theme,
    density,
    id,
    preferredLanguages,
    timeZone = 'UTC',
    ...element
  } = options;
  const styles = renderStyles(stylesheet, nonce);
  checkAddress('script', script);
  const settings = renderedSettings(element, { theme, density });
  const state = stateOfPayment(payment, 'ok');
  const model = await createStaticModel(state, settings, preferredLanguages);
  const translator = { ...model.translator.peek(), timeZone };
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
            <CheckoutProvider model={model} timeZone={timeZone}>
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

/** Returns the settings of the rendered card. The server does not know the page's address, so relative URLs stay relative. */
function renderedSettings(element: ElementOptions, appearance: Appearance): Settings {
  // biome-ignore lint/suspicious/noConsole: a mistake in the appearance must not cost the account, and the developer needs to see it
  const options = validateOptions({ ...element, appearance }, (error) => console.error(error));
  const { returnUrl } = options;
  // The help link adds the reference as a query, which needs an absolute URL.
  return { ...settingsOf(options), variables: {}, returnUrl, payLink: undefined };
}

function checkAddress(name: string, address: string | undefined): string | undefined {
  if (isAddress(address)) return address;
  throw new CheckoutError('invalid_options', `The option ${name} must be an http(s) URL or a path.`);
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
