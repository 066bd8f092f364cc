import type { ComponentChildren, JSX, TargetedEvent } from 'preact';
import type { Messages } from '../../i18n/messages.ts';
import type { Translate } from '../../i18n/translator.ts';
import { useCheckout } from '../context.tsx';
import { copyText } from '../dom/clipboard.ts';
import { LinkIcon } from './icon.tsx';
import { notTranslated, Text } from './text.tsx';

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

type ValueProps = {
  /** The key of the value's label, and its name in styles and tests. */
  readonly field: keyof Messages;
  readonly dir: 'ltr' | 'auto';
  readonly isHidden?: boolean;
  readonly copyValue?: string | undefined;
  readonly children: ComponentChildren;
};

/** A value with its copy button. A press on the value copies it, too: it stays selectable, because nothing covers it. */
export function Value({ field, dir, isHidden, copyValue, children }: ValueProps): JSX.Element {
  const { text } = useCheckout().translator.value;
  const { isCopied, copy } = useCopy(field, copyValue ?? '');
  const onClick =
    copyValue === undefined
      ? undefined
      : ({ currentTarget }: TargetedEvent<HTMLElement>) =>
          copy(currentTarget.parentElement?.querySelector('bdi'));
  const label = text(copyLabel(isCopied));
  return (
    <>
      <bdi data-field={field} dir={dir} {...notTranslated} aria-hidden={isHidden} onClick={onClick}>
        {children}
      </bdi>
      {onClick && (
        <button
          type="button"
          part="copy"
          data-copied={isCopied}
          data-copied-label={text('copied')}
          aria-label={copyButtonName(field, label, text)}
          onClick={onClick}
        >
          {isCopied && <LinkIcon name="done" />}
          <Text>{label}</Text>
        </button>
      )}
    </>
  );
}

type CopyLinkProps = {
  readonly field: keyof Messages;
  readonly value: string;
  readonly label: keyof Messages;
  /** Shared instead, when the device can share. */
  readonly data?: ShareData;
};

export function CopyLink({ field, value, label, data }: CopyLinkProps): JSX.Element {
  const { text } = useCheckout().translator.value;
  const { isCopied, copy, share } = useCopy(field, value);
  const isTried = isCopied !== undefined;
  const name = text(isTried ? copyLabel(isCopied) : label);
  return (
    <button
      type="button"
      part="link"
      data-action={label}
      data-copied={isCopied}
      aria-label={isTried ? copyButtonName(field, name, text) : undefined}
      onClick={({ currentTarget }) => {
        const details = currentTarget.closest('.card')?.querySelector('dl');
        return data ? share(data, details) : copy(details);
      }}
    >
      <LinkIcon name={isCopied ? 'done' : data ? 'share' : 'copy'} />
      <Text>{name}</Text>
    </button>
  );
}

type RowProps = {
  readonly field: keyof Messages;
  readonly shown: string;
  readonly spoken?: string | undefined;
  /** `shown` is a number with spaces between its groups. */
  readonly isGrouped?: boolean;
  /** Nobody should pay with this value any more: it is struck through, and cannot be selected. */
  readonly isClosed?: boolean | undefined;
  readonly copyValue?: string | undefined;
  readonly note?: string | undefined;
  readonly isPanel?: boolean;
};

/** A row of the details: a label, and a value. Styles decide where an amount breaks, so its space is an ordinary one. */
export function Row(props: RowProps): JSX.Element | null {
  const { field, shown, spoken, isGrouped, isClosed, copyValue, note, isPanel } = props;
  const { text } = useCheckout().translator.value;
  if (!shown) return null;
  const name = isPanel ? `panel ${field}` : field;
  // Styles separate the groups, not spaces, so that a selected number contains only its digits.
  const parts = isGrouped ? shown.split(' ') : [shown.replace('\u00a0', ' ')];
  const value = parts.map((part) => <Text>{part}</Text>);
  return (
    <div class={`row ${name}`} part={`row ${name}`}>
      <Text as="dt">{text(field)}</Text>
      <dd>
        {spoken && isClosed && <Text class="spoken">{text('expiredWarning')}</Text>}
        {spoken && (
          <Text class="spoken" {...notTranslated}>
            {spoken}
          </Text>
        )}
        <Value field={field} dir={isGrouped ? 'ltr' : 'auto'} isHidden={!!spoken} copyValue={copyValue}>
          {isClosed ? <del>{value}</del> : value}
        </Value>
      </dd>
      {note && (
        <dd class="note">
          <Text>{note}</Text>
        </dd>
      )}
    </div>
  );
}

function useCopy(field: keyof Messages, value: string) {
  const { model, viewState } = useCheckout();
  const { lastCopy } = viewState;
  const last = lastCopy.value;

  const copy = async (shown: Element | null | undefined): Promise<void> => {
    const isCopied = await copyText(value, shown);
    if (isCopied && model.emit?.('copied', { field }) === false) return;
    lastCopy.value = { field, value, isCopied, count: (lastCopy.peek()?.count ?? 0) + 1 };
  };

  return {
    /** Whether the value was copied; undefined unless it was the last that the shopper tried to copy. */
    isCopied: last?.value === value && last.field === field ? last.isCopied : undefined,
    copy,
    async share(data: ShareData, shown: Element | null | undefined): Promise<void> {
      try {
        if (!navigator.canShare?.(data)) throw new Error('This device cannot share.');
        await navigator.share(data);
      } catch (error) {
        // The shopper has cancelled sharing: nothing is copied instead.
        if ((error as Error).name !== 'AbortError') await copy(shown);
      }
    },
  };
}
