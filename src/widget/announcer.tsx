import { computed, useSignal, useSignalEffect } from '@preact/signals';
import type { JSX, RefObject } from 'preact';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { formatDuration } from '../i18n/format-time.ts';
import { spokenBy, type Translator } from '../i18n/translator.ts';
import { type CheckoutContext, useCheckout, useIsPainted } from './context.tsx';
import { descriptionOf, titleOf } from './description/explanation.ts';
import { useReturnFocus } from './dom/focus.ts';
import { lastMinutesMs } from './model/time-left.ts';
import { canStillPay, connectionStatus, lastCheckedText } from './parts/connection-line.tsx';
import { copyButtonName, copyLabel } from './parts/row.tsx';
import { Text } from './parts/text.tsx';

/** How long a line stays: if it stayed longer, readers would meet it again while browsing the page. */
export const lineLifetimeMs = 10_000;

/** What is announced: each source has at most one line at a time. */
const sources: readonly ((context: CheckoutContext) => string)[] = [
  (context) => stateLine(context),
  connectionLine,
  copyLine,
  timeLine,
  ({ viewState }) => viewState.hint.value ?? '',
];

type Line = { readonly source: number; readonly text: string };

/** The live region. Only a changed line is announced, without the text that is read because the focus moves to it. */
export function Announcer({ card }: { readonly card: RefObject<HTMLElement | null> }): JSX.Element {
  const context = useCheckout();
  const { state, model } = context;
  // One computed each: the time left changes every second, but its line only at certain steps.
  const current = useMemo(() => sources.map((source) => computed(() => source(context))), [context]);
  const lines = useSignal<readonly Line[]>([]);
  const known = useRef<readonly string[]>([]);
  const restoreFocus = useReturnFocus(card);
  const isPainted = useIsPainted();
  // Read here, so that the lines are announced with the screen that they belong to.
  const texts = isPainted ? current.map(({ value }) => value) : [];
  useLayoutEffect(() => {
    const isNew = ({ source, text }: Line): boolean => text !== known.current[source];
    const changed = texts.map((text, source) => ({ source, text })).filter(isNew);
    if (changed.length === 0) return;
    known.current = texts;
    const read = restoreFocus();
    const unread = changed.map((line) =>
      read && line.source === 0 ? { ...line, text: stateLine(context, read) } : line,
    );
    const kept = lines.peek().filter(({ source }) => !changed.some((line) => line.source === source));
    lines.value = [...kept, ...unread]
      .filter(({ text }) => text)
      .sort((one, other) => one.source - other.source);
  });
  useSignalEffect(() => {
    // The loading line stays until there is another.
    if (lines.value.length === 0 || state.peek().name === 'loading') return;
    return model.clock.setTimer(() => {
      lines.value = [];
    }, lineLifetimeMs);
  });
  return (
    <div class="spoken" role="status" aria-atomic="false">
      {lines.value.map(({ source, text }) => (
        <Text as="p" key={source}>
          {text}
        </Text>
      ))}
    </div>
  );
}

function stateLine(context: CheckoutContext, read = ''): string {
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
function connectionLine({ state, translator, viewState }: CheckoutContext): string {
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

function copyLine({ viewState, translator }: CheckoutContext): string {
  const lastCopy = viewState.lastCopy.value;
  if (!lastCopy) return '';
  const { field, isCopied, count } = lastCopy;
  const { text } = translator.value;
  return repeatable(copyButtonName(field, text(copyLabel(isCopied)), text), count);
}

/** The time left, at the steps that are announced. The last minutes begin with what else the shopper can do. */
function timeLine({ state, translator, viewState }: CheckoutContext): string {
  const leftMs = viewState.timeLeft.announcedMs.value;
  if (!leftMs) return '';
  const { text } = translator.value;
  const isWarned = leftMs === lastMinutesMs && state.value.name === 'awaitingTransfer';
  return joinSentences([
    text('spokenTimeLeft', { time: formatDuration(leftMs, translator.value) }),
    isWarned ? text('lastMinutesLead') : '',
  ]);
}

const joinSentences = (parts: readonly string[]): string =>
  parts
    .filter(Boolean)
    .join('. ')
    .replace(/([.!?…؟])\. /g, '$1 ');

/** The same line again is another one: every other time it ends in a space that is not spoken. */
const repeatable = (line: string, count: number): string => `${line}${count % 2 ? '' : '\u00a0'}`;
