import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { formatAccountNumber, formatJson, formatWord } from '../format/text.ts';
import { formatDateTime, formatRecent } from '../format/time.ts';
import { usePanel } from './model.ts';

type ActionButtonProps = {
  action: string;
  run: () => Promise<unknown>;
  children: ComponentChildren;
  kind?: 'primary';
  /** Needed if the text does not name the record. */
  label?: string | undefined;
};

/** A button that runs an action. Pressing it again while the action runs has no effect. */
export function ActionButton({ action, run, children, kind, label }: ActionButtonProps) {
  const isRunning = useSignal(false);
  const press = async (): Promise<void> => {
    if (isRunning.value) return;
    isRunning.value = true;
    await run();
    isRunning.value = false;
  };
  // Not `disabled`, which would lose the focus.
  return (
    <button
      type="button"
      class={kind}
      data-action={action}
      aria-label={label}
      aria-disabled={isRunning.value}
      onClick={press}
    >
      {children}
    </button>
  );
}

/** The colour of a status. Statuses not listed here are waiting for something. */
const tones: Readonly<Record<string, 'good' | 'bad' | 'quiet'>> = {
  succeeded: 'good',
  delivered: 'good',
  accepted: 'good',
  failed: 'bad',
  reversed: 'bad',
  returned: 'bad',
  dropped: 'bad',
  expired: 'quiet',
};

export function Badge({ status }: { status: string }) {
  return (
    <span class="badge" data-field="status" data-status={status} data-tone={tones[status] ?? 'wait'}>
      {formatWord(status)}
    </span>
  );
}

/** The status of an HTTP response, or why there is none. */
export function HttpBadge({ status }: { status: number | string }) {
  const isGood = typeof status === 'number' && status < 400;
  return (
    <span class="badge" data-tone={isGood ? 'good' : 'bad'}>
      {status}
    </span>
  );
}

/** Copies a text, and reports success only after it is copied. */
export function CopyButton({ label, value }: { label: string; value: string }) {
  const { report } = usePanel();
  const copy = async (): Promise<void> => {
    try {
      // Undefined unless the page is served from localhost or over HTTPS; then this throws, too.
      await navigator.clipboard.writeText(value);
      report(`Copied the ${label}.`);
    } catch {
      report(`The browser did not allow copying. Select the ${label} and copy it yourself.`, 'problem');
    }
  };
  return (
    <button type="button" class="copy" aria-label={`Copy the ${label}`} onClick={copy}>
      Copy
    </button>
  );
}

/** An account number, grouped for reading and copied without spaces. */
export function AccountNumber({ number }: { number: string }) {
  return (
    <span class="account" data-field="accountNumber">
      {formatAccountNumber(number)}
      <CopyButton label={`account number ${number}`} value={number} />
    </span>
  );
}

/** A text for machines, with a button that copies it unchanged. */
export function CodeBlock({ name, text }: { name: string; text: string }) {
  return (
    <figure class="code">
      <figcaption>
        {name}
        <CopyButton label={name} value={text} />
      </figcaption>
      <pre>{formatJson(text)}</pre>
    </figure>
  );
}

export type Fact = { name: string; value: ComponentChildren; field?: string };

/** The fields of a record; empty ones are left out. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl class="facts">
      {facts
        .filter(({ value }) => value !== undefined && value !== null && value !== '' && value !== false)
        .map(({ name, value, field }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd data-field={field}>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

/** A titled part of a record's details. */
export function Part({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section class="part">
      <h3>{title}</h3>
      {children}
    </section>
  );
}

/** A time on the sandbox's clock. */
export function Timestamp({ at }: { at: string }) {
  return (
    <time dateTime={at} title={`${formatDateTime(at)} UTC`}>
      {formatRecent(at, usePanel().nowSeconds.value)}
    </time>
  );
}
