import type { PaymentState, State } from '../core/index.ts';
import type { Messages } from '../i18n/messages.ts';
import type { Speech } from '../i18n/text.ts';
import { isElsewhere, isExpiredPart, missingAmount, paidInAll, receivedElsewhere } from './payment-facts.ts';
import { messageValues } from './title.ts';

type Key = keyof Messages;

/** What a shop may say of one kind of money; what it says of all is said where there is none. */
export const ownPolicies: readonly Key[] = ['overpaidPolicy', 'failedPolicy', 'reversedPolicy'];

/** What a state does not say of itself: how long it has lasted, and what was asked for before. */
export type Story = {
  /** The shopper's money has been looked for for so long that it needs another word. */
  readonly isLong?: boolean | undefined;
  /** Another account was asked for, and the server has kept this payment. */
  readonly isKept?: boolean | undefined;
};

/** All that a screen says below its title, in full sentences. What the merchant has emptied is left out. */
export function leadsOf(state: State, speech: Speech, story: Story = {}): readonly string[] {
  return [firstLeadOf(state, speech), ...laterLeadsOf(state, speech, story)].filter(Boolean);
}

/** What has to stand right below the title; an empty text where there is nothing. */
export function firstLeadOf({ name }: State, { text }: Speech): string {
  if (name === 'awaitingTransfer') return text('transferLead');
  return name === 'expired' ? text('expiredWarning') : '';
}

/** All that follows the first lead. */
export function laterLeadsOf(state: State, speech: Speech, story: Story = {}): readonly string[] {
  const values = messageValues(state, speech);
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
