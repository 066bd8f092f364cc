import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useErrorBoundary } from 'preact/hooks';
import { CheckoutError } from '../contract/index.ts';
import { isPaid, knownReference } from '../core/state.ts';
import { directionOf } from '../i18n/translator.ts';
import { useCheckout } from './context.tsx';
import { notTranslated, Text } from './parts/text.tsx';

/** Reports that the checkout cannot be rendered: at once, and again when the payment's reference becomes known. */
export type OnRenderError = (error: CheckoutError) => void;

type ErrorBoundaryProps = { readonly onError: OnRenderError; readonly children?: ComponentChildren };

export function ErrorBoundary({ onError, children }: ErrorBoundaryProps): ComponentChildren {
  const [cause, retry] = useErrorBoundary();
  return cause ? <Failure cause={cause} retry={retry} onError={onError} /> : children;
}

type FailureProps = {
  readonly cause: unknown;
  readonly retry: () => void;
  readonly onError: OnRenderError;
};

/** Uses no other part of the checkout than `Text`, because that may be what failed. */
function Failure({ cause, retry, onError }: FailureProps): JSX.Element {
  const { model, page } = useCheckout();
  const { text, locale } = model.translator.value;
  const { value: state } = model.state;
  const reference = knownReference(state);
  const leave = model.leaving.pendingLeave.value;
  useEffect(() => onError(createRenderError(reference, cause)), [reference]);
  // Without the dialog that asks for confirmation, nobody could close a modal.
  useEffect(() => leave?.(), [leave]);
  return (
    <div
      class="card"
      part="card"
      data-theme={model.settings.value.theme}
      lang={locale}
      dir={directionOf(locale)}
    >
      <div class="leads" role="alert">
        <Text as="h2" part="title">
          {text(isPaid(state) ? 'receivedLateTitle' : 'unavailableTitle')}
        </Text>
        <Text as="p">{text(reference ? 'askShop' : 'unavailableLead')}</Text>
        {reference && (
          <p part="reference">
            <Text>{text('reference')}</Text>{' '}
            <bdi data-field="reference" {...notTranslated}>
              <Text>{reference}</Text>
            </bdi>
          </p>
        )}
      </div>
      <div class="actions">
        <button type="button" onClick={retry}>
          <Text>{text('tryAgain')}</Text>
        </button>
        {page.onClose && (
          <button type="button" onClick={page.onClose}>
            <Text>{text('close')}</Text>
          </button>
        )}
      </div>
    </div>
  );
}

export function createRenderError(reference: string | undefined, cause: unknown): CheckoutError {
  const message = `The checkout could not be rendered. Reference of its payment: ${reference ?? 'not known yet'}.`;
  return new CheckoutError('load_failed', message, { cause });
}
