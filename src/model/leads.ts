import type { State } from '../core/index.ts';
import type { Messages } from '../locales/messages.ts';
import { inZone } from './moments.ts';
import { formatMoney, intlLocales, type Speech } from './text.ts';
import { firstLeadOf, titleOf } from './words.ts';

type Key = keyof Messages;

/** What a screen says first, when all words are there. */
export function fullTitleOf(state: State, speech: Speech): string {
  const key = kindOf(state);
  return key ? speech.text(key, valuesOf(state, speech)) : titleOf(state, speech);
}

/** Of states that come in kinds, those that have a title of their own. */
function kindOf(state: State): Key | undefined {
  if (state.name === 'checking' && state.because === 'unclear') {
    return state.payment.authorizationUrl ? 'linkTitle' : 'unclearTitle';
  }
  if (isElsewhere(state)) return 'elsewhereTitle';
  if (state.name === 'expired' && state.payment.outcome === 'replaced') return 'replacedTitle';
  const isShort = state.name === 'failed' && state.payment.outcome === 'amountMismatch';
  return isShort ? 'amountMismatchTitle' : undefined;
}

/** All that a screen says below its title, in full sentences. What the merchant has emptied is left out. */
export function leadsOf(state: State, speech: Speech): readonly string[] {
  const values = valuesOf(state, speech);
  return [firstLeadOf(state, speech), ...leadKeys(state).map((key) => speech.text(key, values))].filter(
    Boolean,
  );
}

function leadKeys(state: State): readonly Key[] {
  switch (state.name) {
    case 'checking':
      if (state.because === 'unclear') {
        return state.payment.authorizationUrl ? ['linkLead'] : ['unclearWarning', 'unclearLead'];
      }
      return [state.payment.outcome === 'expired' ? 'checkingLate' : 'checkingLead'];
    case 'partlyPaid':
      return ['partlyPaidLead'];
    case 'confirming':
      return ['confirmingLead'];
    case 'succeeded':
      return isOverpaid(state) ? ['overpaidLead', 'refundPolicy'] : ['succeededLead'];
    case 'expired':
      return state.payment.outcome === 'replaced' ? ['replacedLead'] : ['expiredQuestion', 'expiredLead'];
    case 'receivedLate':
      return [
        'receivedLateLead',
        'latePolicy',
        ...(isOverpaid(state) ? (['overpaidLead', 'refundPolicy'] as const) : []),
      ];
    case 'failed':
      return [
        state.payment.outcome === 'amountMismatch' ? 'amountMismatchLead' : 'failedLead',
        'refundPolicy',
      ];
    case 'reversed':
      return ['reversedLead', 'refundPolicy'];
    case 'unavailable':
      if (isElsewhere(state)) return ['elsewhereLead'];
      return [
        state.code === 'network_error' ? 'unreachableLead' : 'unavailableLead',
        ...(state.previous ? (['lostLead'] as const) : []),
      ];
    default:
      return [];
  }
}

/** True where the shopper has come back in a browser that does not know the payment. */
export function isElsewhere(state: State): boolean {
  return state.name === 'unavailable' && state.code === 'session_unknown';
}

/** True when more has arrived than was asked for. */
function isOverpaid({ payment }: State & { name: 'succeeded' | 'receivedLate' }): boolean {
  return payment.chargedAmount > payment.amount.value;
}

/** What these messages speak of. */
function valuesOf(state: State, { locale, timeZone }: Speech): Record<string, string> {
  if (!('payment' in state)) return {};
  const { amount, chargedAmount, expiresAt } = state.payment;
  const format = (value: number): string => formatMoney({ ...amount, value }, locale);
  return {
    amount: format(amount.value),
    charged: format(chargedAmount),
    excess: format(Math.max(0, chargedAmount - amount.value)),
    time: new Date(expiresAt).toLocaleTimeString(intlLocales(locale), {
      hour: '2-digit',
      minute: '2-digit',
      ...inZone(timeZone),
    }),
  };
}
