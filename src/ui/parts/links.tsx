import type { ComponentChildren, JSX } from 'preact';
import { mayLeave, paymentOf, referenceOf, type Settings, type Speech } from '../../model/index.ts';
import { type CheckoutContext, useCheckout } from '../hooks/use-checkout.ts';
import { LinkIcon } from './icon.tsx';

type LinksProps = { readonly isMain?: boolean; readonly children?: ComponentChildren };

/** The ways out: help, which knows the reference, and back to the shop, which warns while money may be on its way. */
export function Links({ isMain = false, children }: LinksProps): JSX.Element {
  const { state, note } = useCheckout();
  const shown = note.value?.of === state.value.name ? note.value.text : undefined;
  return (
    <div class="links">
      {children}
      <BackLink isMain={isMain} />
      <HelpLink />
      {shown && (
        <p class="note" role="status" dir="auto">
          {shown}
        </p>
      )}
    </div>
  );
}

function BackLink({ isMain }: { isMain: boolean }): JSX.Element | null {
  const { speech, settings, state, timers } = useCheckout();
  const { returnUrl } = settings.value;
  const { value: now } = state;
  if (!returnUrl || mayLeave(now) === 'never' || now.name === 'loading') return null;
  return (
    <a
      class={isMain ? 'main' : ''}
      part="link"
      href={returnUrl}
      data-action="back"
      onClick={(event) => {
        if (mayLeave(state.peek()) === 'freely') return;
        event.preventDefault();
        timers.leave(() => location.assign(returnUrl));
      }}
    >
      <LinkIcon name="back" />
      {speech.value.text('backToShop')}
    </a>
  );
}

function HelpLink(): JSX.Element | null {
  const context = useCheckout();
  const { speech, settings, state } = context;
  const payment = paymentOf(state.value);
  const help = helpUrl(speech.value, settings.value, payment ? referenceOf(payment) : '');
  if (!help) return null;
  return (
    <a
      part="link"
      href={help}
      target="_blank"
      rel="noopener"
      data-action="help"
      onClick={(event) => openHelp(context, event, help)}
    >
      <LinkIcon name="help" />
      {speech.value.text('help')}
    </a>
  );
}

/** Never holds more of the payment than its reference. */
function helpUrl(
  speech: Speech,
  { supportUrl, supportEmail }: Settings,
  reference: string,
): string | undefined {
  if (supportUrl) {
    const url = new URL(supportUrl);
    if (reference) url.searchParams.set('reference', reference);
    return url.href;
  }
  const subject = encodeURIComponent(speech.text('helpSubject', { reference }).trim());
  return supportEmail && `mailto:${encodeURIComponent(supportEmail).replace('%40', '@')}?subject=${subject}`;
}

/** Says where help is, where no browser tells whether it was opened: an app for e-mail may be missing, a frame may open nothing. */
function openHelp(context: CheckoutContext, event: Event, help: string): void {
  const { supportUrl, supportEmail } = context.settings.peek();
  const say = (address = ''): void => setNote(context, context.speech.peek().text('helpAt', { address }));
  if (!supportUrl) return say(supportEmail);
  if (self === top) return;
  event.preventDefault();
  const opened = open(help, '_blank');
  if (opened) opened.opener = null;
  else say(help);
}

/** Shows a note by the ways out, for as long as the screen stays. */
export function setNote({ note, state }: CheckoutContext, text: string | undefined): void {
  note.value = text === undefined ? undefined : { text, of: state.peek().name };
}
