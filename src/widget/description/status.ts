import type { State } from '../../core/state.ts';
import { formatDuration } from '../../i18n/format-time.ts';
import type { Messages } from '../../i18n/messages.ts';
import type { Translate, Translator } from '../../i18n/translator.ts';
import { isBeingChecked, isPayable } from './payment-facts.ts';

/** The status of the connection, named after its message. `waiting` is shown but not announced. */
export type ConnectionStatus = 'offline' | 'retrying' | 'cannotCheck' | 'lost' | 'waiting' | 'looking';

/** Returns the status of the connection, or undefined when the screen needs none: the title of `loading` says that it is offline. */
export function connectionStatus(state: State, isTimeUp: boolean): ConnectionStatus | undefined {
  if (state.isOffline) return state.name === 'loading' ? undefined : 'offline';
  const connection = 'connection' in state ? state.connection : 'ok';
  if (connection === 'retrying') return 'retrying';
  if (connection === 'failing' || connection === 'refused') return 'cannotCheck';
  if (connection !== 'ok') return 'lost';
  if (isTimeUp || isBeingChecked(state)) return 'looking';
  return isPayable(state) ? 'waiting' : undefined;
}

export function canStillPay(state: State, isTimeUp: boolean): boolean {
  const status = connectionStatus(state, isTimeUp);
  return isPayable(state) && !isTimeUp && (status === 'retrying' || status === 'cannotCheck');
}

export function lastCheckedText(translator: Translator, sinceMs: number | undefined): string {
  if (sinceMs === undefined) return '';
  return translator.text('lastChecked', { time: formatDuration(Math.max(1000, sinceMs), translator) });
}

export const copyLabel = (isCopied: boolean | undefined): keyof Messages =>
  isCopied === undefined ? 'copy' : isCopied ? 'copied' : 'pressToCopy';

const nameKeys: { readonly [Field in keyof Messages]?: keyof Messages } = {
  accountNumber: 'copyAccountNumber',
  amount: 'copyAmount',
  missing: 'copyMissing',
  reference: 'copyReference',
};

export function copyButtonName(field: keyof Messages, label: string, text: Translate): string {
  const key = nameKeys[field];
  return key ? text(key, { copy: label }) : `${text(field)}: ${label}`;
}
