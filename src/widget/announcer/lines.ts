import { formatDuration } from '../../i18n/format-time.ts';
import { spokenBy, type Translator } from '../../i18n/translator.ts';
import { canStillPay, connectionStatus, lastCheckedText } from '../description/connection-status.ts';
import { copyButtonName, copyLabel } from '../description/copy-button.ts';
import { descriptionOf } from '../description/explanation.ts';
import { titleOf } from '../description/title.ts';
import type { CheckoutContext } from '../hooks/use-checkout.ts';
import { lastMinutesMs } from '../model/time-left.ts';

/** The title and description of the state, without those in `read`. */
export function stateLine(context: CheckoutContext, read = ''): string {
  const { value: translator } = context.translator;
  const shown = stateLines(context, translator);
  return joinSentences(
    stateLines(context, spokenBy(translator)).filter((_line, index) => !read.includes(shown[index] ?? '')),
  );
}

function stateLines({ state, viewState }: CheckoutContext, translator: Translator): string[] {
  const isTimeUp = viewState.timeLeft.isTimeUp.value;
  const description = isTimeUp
    ? [translator.text('expiredWarning')]
    : descriptionOf(state.value, translator, viewState.details.value);
  return [titleOf(state.value, translator, isTimeUp), ...description];
}

/** The status of the connection. Checks that brought nothing new are announced only when the shopper requested them. */
export function connectionLine({ state, translator, viewState }: CheckoutContext): string {
  const isTimeUp = viewState.timeLeft.isTimeUp.value;
  const { text } = translator.value;
  const status = connectionStatus(state.value, isTimeUp);
  if (status === 'looking') {
    const requested = viewState.lastCheck.requestedCheck.value;
    return requested ? repeatable(lastCheckedText(translator.value, 0), requested) : '';
  }
  return joinSentences([
    status && status !== 'waiting' ? text(status) : '',
    canStillPay(state.value, isTimeUp) ? text('stillPayable') : '',
  ]);
}

/** The value that was copied last, or has to be copied by hand. */
export function copyLine({ viewState, translator }: CheckoutContext): string {
  const lastCopy = viewState.lastCopy.value;
  if (!lastCopy) return '';
  const { field, isCopied, count } = lastCopy;
  const { text } = translator.value;
  return repeatable(copyButtonName(field, text(copyLabel(isCopied)), text), count);
}

/** The time left, at the steps that are announced. The last minutes begin with what else the shopper can do. */
export function timeLine({ state, translator, viewState }: CheckoutContext): string {
  const leftMs = viewState.timeLeft.announcedMs.value;
  if (!leftMs) return '';
  const { text } = translator.value;
  const isWarned = leftMs === lastMinutesMs && state.value.name === 'awaitingTransfer';
  return joinSentences([
    text('spokenTimeLeft', { time: formatDuration(leftMs, translator.value) }),
    isWarned ? text('lastMinutesLead') : '',
  ]);
}

/** Joins sentences into one line, with a full stop after those that have none. */
const joinSentences = (parts: readonly string[]): string =>
  parts
    .filter(Boolean)
    .join('. ')
    .replace(/([.!?…؟])\. /g, '$1 ');

/** Screen readers do not repeat an unchanged line: every other time it ends in a space that is not spoken. */
const repeatable = (line: string, count: number): string => `${line}${count % 2 ? '' : '\u00a0'}`;
