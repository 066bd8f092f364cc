import type { ComponentChildren, JSX } from 'preact';
import { knownReference } from '../../core/state.ts';
import type { Translator } from '../../i18n/translator.ts';
import type { Settings } from '../../options/options.ts';
import { useCheckout } from '../context.tsx';
import { isHelpNeeded } from '../description/payment-facts.ts';
import { isShopperNeeded } from '../model/checkout-model.ts';
import { LinkIcon } from './icon.tsx';
import { Text } from './text.tsx';

export function Links({ children }: { readonly children?: ComponentChildren }): JSX.Element {
  const { viewState, state } = useCheckout();
  const hint = viewState.hint.value;
  return (
    <div class="links">
      {children}
      {!isHelpNeeded(state.value) && <HelpLink />}
      {hint && (
        <Text as="p" class="hint" dir="auto">
          {hint}
        </Text>
      )}
    </div>
  );
}

export function BackLink({ isMain = false }: { readonly isMain?: boolean }): JSX.Element | null {
  const { translator, model, state, viewState, page } = useCheckout();
  const { returnUrl } = model.settings.value;
  const { value: now } = state;
  const isLoadingBriefly = now.name === 'loading' && !viewState.details.value.isLoadingLong;
  if (!returnUrl || isLoadingBriefly) return null;
  return (
    <a
      class={isMain ? 'main' : ''}
      part={isMain ? 'button' : 'link'}
      href={returnUrl}
      data-action="back"
      onClick={(event) => {
        if (!isShopperNeeded(state.peek())) return page.onReturn?.();
        event.preventDefault();
        model.leaving.leave(() => page.go(returnUrl));
      }}
    >
      <LinkIcon name="back" />
      <Text>{translator.value.text('backToShop')}</Text>
    </a>
  );
}

export function HelpLink({ isMain = false }: { readonly isMain?: boolean }): JSX.Element | null {
  const { translator, model, state, viewState } = useCheckout();
  const settings = model.settings.value;
  const help = helpUrl(translator.value, settings, knownReference(state.value));
  if (!help) return null;
  const { supportUrl, supportEmail } = settings;
  const showAddress = (address = ''): void => viewState.setHint(translator.value.text('helpAt', { address }));
  return (
    <a
      class={isMain ? 'main' : ''}
      part={isMain ? 'button' : 'link'}
      href={help}
      target="_blank"
      rel="noopener"
      data-action="help"
      onClick={(event) => {
        // The device may have no e-mail app, and a frame may not open windows; neither reports that.
        if (!supportUrl) showAddress(supportEmail);
        else if (self !== top) {
          event.preventDefault();
          const opened = open(help, '_blank');
          if (opened) opened.opener = null;
          else showAddress(help);
        }
      }}
    >
      <LinkIcon name="help" />
      <Text>{translator.value.text('help')}</Text>
    </a>
  );
}

/** The help address contains the payment's reference, and nothing else of it. */
function helpUrl(
  translator: Translator,
  { supportUrl, supportEmail }: Settings,
  reference = '',
): string | undefined {
  if (supportUrl) {
    const url = new URL(supportUrl);
    if (reference) url.searchParams.set('reference', reference);
    return url.href;
  }
  const subject = encodeURIComponent(translator.text('helpSubject', { reference }).trim());
  return supportEmail && `mailto:${encodeURIComponent(supportEmail).replace('%40', '@')}?subject=${subject}`;
}
