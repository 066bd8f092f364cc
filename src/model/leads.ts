import type { PaymentState, PaymentView, State } from '../core/index.ts';
import type { Messages } from '../locales/messages.ts';
import type { Beside } from './later.ts';
import { formatTime } from './moments.ts';
import { formatMoney, type Speech } from './text.ts';
import { firstLeadOf, missingAmount, titleOf } from './words.ts';

type Key = keyof Messages;

/** What a shop may say of one kind of money; what it says of all is said where there is none. */
export const ownPolicies: readonly Key[] = ['overpaidPolicy', 'failedPolicy', 'reversedPolicy'];

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
  if (state.name === 'checking' && missingAmount(state.payment) > 0) return 'checkingRestTitle';
  if (isExpiredPart(state)) return 'expiredPartTitle';
  if (state.name === 'expired' && state.payment.outcome === 'replaced') return 'replacedTitle';
  const isShort = state.name === 'failed' && state.payment.outcome === 'amountMismatch';
  return isShort ? 'amountMismatchTitle' : undefined;
}

/** What a state does not say of itself: how long it has lasted, and what was asked for before. */
export type Story = Pick<Beside, 'isLong' | 'isKept'>;

/** All that a screen says below its title, in full sentences. What the merchant has emptied is left out. */
export function leadsOf(state: State, speech: Speech, story: Story = {}): readonly string[] {
  return [firstLeadOf(state, speech), ...laterLeadsOf(state, speech, story)].filter(Boolean);
}

/** That without what stands there before anything more is loaded. */
export function laterLeadsOf(state: State, speech: Speech, story: Story = {}): readonly string[] {
  const values = valuesOf(state, speech);
  const say = (key: Key): string =>
    speech.text(key, values) || (ownPolicies.includes(key) ? speech.text('refundPolicy') : '');
  return [...leadKeys(state, story), ...elsewhereKeys(state)].map(say).filter(Boolean);
}

/** Of an order that is not paid, what has arrived on another account of it. */
function elsewhereKeys(state: State): readonly Key[] {
  const isUnpaid = 'payment' in state && state.payment.outcome !== 'paid';
  return isUnpaid && receivedElsewhere(state.payment) > 0 ? ['earlierMoneyLead'] : [];
}

/** Of an order that is paid, what there is to say where more has arrived than was asked for; `otherwise` where it has not. */
function excessKeys({ payment }: PaymentState, otherwise: readonly Key[]): readonly Key[] {
  if (paidInAll(payment) !== undefined) return ['paidTwiceLead', 'overpaidPolicy'];
  return payment.chargedAmount > payment.amount.value ? ['overpaidLead', 'overpaidPolicy'] : otherwise;
}

function leadKeys(state: State, story: Story): readonly Key[] {
  switch (state.name) {
    case 'checking':
      if (state.because === 'unclear') {
        return state.payment.authorizationUrl ? ['linkLead'] : ['unclearWarning', 'unclearLead'];
      }
      return [...partKeys(state), ...lookingKeys(state, story)];
    case 'partlyPaid':
      return ['partlyPaidLead'];
    case 'confirming':
      return ['confirmingLead'];
    case 'succeeded':
      return excessKeys(state, ['succeededLead']);
    case 'expired':
      if (state.payment.outcome === 'replaced') return ['replacedLead'];
      if (isExpiredPart(state)) return ['expiredPartLead', 'latePolicy', 'refundPolicy'];
      return story.isKept ? ['keptLead'] : ['expiredQuestion', 'expiredLead'];
    case 'receivedLate':
      return ['receivedLateLead', 'latePolicy', ...excessKeys(state, [])];
    case 'failed':
      return state.payment.outcome === 'amountMismatch'
        ? ['amountMismatchLead', 'refundPolicy']
        : ['failedLead', 'failedPolicy'];
    case 'reversed':
      return ['reversedLead', 'reversedPolicy'];
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

/** What has arrived of it, where that is not all. */
const partKeys = ({ payment }: PaymentState): Key[] => (missingAmount(payment) > 0 ? ['partArrived'] : []);

/** While the money is looked for that the shopper has sent. */
function lookingKeys({ payment }: PaymentState, { isLong }: Story): readonly Key[] {
  if (isLong) return ['checkingLong', 'askShop'];
  return [payment.outcome === 'expired' ? 'checkingLate' : 'checkingLead'];
}

/** True where money has arrived before the time was up, but not all of it: there is no other account as long as it lies there. */
export function isExpiredPart(state: State): boolean {
  return state.name === 'expired' && state.payment.outcome === 'expired' && state.payment.chargedAmount > 0;
}

/** A state in which there is an account to pay into. */
export type ToPay = Extract<State, { name: 'awaitingTransfer' | 'partlyPaid' }>;

export const isToPay = (state: State): state is ToPay =>
  state.name === 'awaitingTransfer' || state.name === 'partlyPaid';

/** True while the page looks for money of which the shopper wants to hear. */
export const isLookedFor = (state: State): boolean => state.name === 'checking' || isExpiredPart(state);

/** True where the shopper has come back in a browser that does not know the payment. */
export function isElsewhere(state: State): boolean {
  return state.name === 'unavailable' && state.code === 'session_unknown';
}

/** What has arrived on other payments of the order, in minor units. */
function receivedElsewhere({ chargedAmount, orderChargedAmount = 0 }: PaymentView): number {
  return Math.max(0, orderChargedAmount - chargedAmount);
}

/**
 * Of an order that is paid, what has arrived on all its payments, in minor units; undefined where that is not more than it costs, or
 * than this payment alone has brought.
 */
export function paidInAll({
  amount,
  chargedAmount,
  orderChargedAmount = 0,
}: PaymentView): number | undefined {
  return orderChargedAmount > Math.max(amount.value, chargedAmount) ? orderChargedAmount : undefined;
}

/** What these messages speak of. */
function valuesOf(state: State, speech: Speech): Record<string, string> {
  if (!('payment' in state)) return {};
  const { amount, chargedAmount, orderChargedAmount = chargedAmount, expiresAt } = state.payment;
  const format = (value: number): string => formatMoney({ ...amount, value }, speech.locale);
  return {
    amount: format(amount.value),
    charged: format(chargedAmount),
    total: format(orderChargedAmount),
    earlier: format(receivedElsewhere(state.payment)),
    missing: format(missingAmount(state.payment)),
    excess: format(Math.max(0, chargedAmount - amount.value)),
    time: formatTime(expiresAt, speech),
  };
}
