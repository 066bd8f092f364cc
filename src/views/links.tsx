import type { ComponentChildren, JSX } from 'preact';
import { paymentOf, referenceOf } from '../model/index.ts';
import { mayLeave } from '../model/more.ts';
import { LinkIcon } from './icon.tsx';
import type { Screen } from './screen.ts';

type LinksProps = Screen & { readonly isMain?: boolean; readonly children?: ComponentChildren };

/** The ways out: help, which knows the reference, and back to the shop, which warns while money may be on its way. */
export function Links(screen: LinksProps): JSX.Element {
  const { speech, settings, state, more, note, isMain, children } = screen;
  const { text } = speech;
  const payment = paymentOf(state);
  const help = helpUrl(screen, payment ? referenceOf(payment) : '');
  const { returnUrl } = settings;
  return (
    <div class="links">
      {children}
      {returnUrl && mayLeave(state) !== 'never' && state.name !== 'loading' && (
        <a
          class={isMain ? 'main' : ''}
          part="link"
          href={returnUrl}
          data-action="back"
          onClick={(event) => {
            if (mayLeave(state) === 'freely') return;
            event.preventDefault();
            more?.later.leave(() => location.assign(returnUrl));
          }}
        >
          <LinkIcon name="back" />
          {text('backToShop')}
        </a>
      )}
      {help && (
        <a
          part="link"
          href={help}
          target="_blank"
          rel="noopener"
          data-action="help"
          onClick={(event) => openHelp(screen, event, help)}
        >
          <LinkIcon name="help" />
          {text('help')}
        </a>
      )}
      {note && (
        <p class="note" role="status" dir="auto">
          {note}
        </p>
      )}
    </div>
  );
}

/** Never holds more of the payment than its reference. */
function helpUrl({ speech, settings }: Screen, reference: string): string | undefined {
  const { supportUrl, supportEmail } = settings;
  if (supportUrl) {
    const url = new URL(supportUrl);
    if (reference) url.searchParams.set('reference', reference);
    return url.href;
  }
  const subject = encodeURIComponent(speech.text('helpSubject', { reference }).trim());
  return supportEmail && `mailto:${encodeURIComponent(supportEmail).replace('%40', '@')}?subject=${subject}`;
}

/** Says where help is, where no browser tells whether it was opened: an app for e-mail may be missing, a frame may open nothing. */
function openHelp({ speech, settings, setNote }: Screen, event: Event, help: string): void {
  const { supportUrl, supportEmail } = settings;
  const say = (address = ''): void => setNote?.(speech.text('helpAt', { address }));
  if (!supportUrl) return say(supportEmail);
  if (self === top) return;
  event.preventDefault();
  const opened = open(help, '_blank');
  if (opened) opened.opener = null;
  else say(help);
}
