import type { Messages, Translate } from '../../model/index.ts';
import { copySelection, writeInTime } from './clipboard.ts';
import type { CopyField } from './copied.ts';
import { type CheckoutContext, useCheckout } from './use-checkout.ts';

/** What a component needs to let its value be copied. */
export type CopyActions = {
  /** Whether the last attempt to copy was one at this, and worked; undefined where it was not. */
  readonly worked: boolean | undefined;
  /** Copies it. Where nothing works, what is `shown` is left selected for the shopper. */
  readonly copy: (shown: Element | null | undefined) => Promise<void>;
  /** Hands `data` to the apps of the device, and copies the value where it has no such thing. */
  readonly share: (data: ShareData, shown: Element | null | undefined) => Promise<void>;
};

/** Copies `value`, and says whether it was copied last. */
export function useCopy(field: CopyField, value: string): CopyActions {
  const context = useCheckout();
  const last = context.copied.value;
  const copy = (shown: Element | null | undefined): Promise<void> => copyValue(context, field, value, shown);
  return {
    worked: last?.value === value && last.field === field ? last.worked : undefined,
    copy,
    async share(data, shown) {
      try {
        if (!navigator.canShare?.(data)) throw new Error('Nothing to share with.');
        await navigator.share(data);
      } catch (error) {
        // A shopper who thinks better of it has copied nothing.
        if ((error as Error).name !== 'AbortError') await copy(shown);
      }
    },
  };
}

async function copyValue(
  { model: { emit, clock }, copied }: CheckoutContext,
  field: CopyField,
  value: string,
  shown: Element | null | undefined,
): Promise<void> {
  let worked = true;
  try {
    await writeInTime(value, clock);
  } catch {
    // Plain http, old browsers, a refused permission.
    if (shown) getSelection()?.selectAllChildren(shown);
    worked = copySelection(value);
  }
  if (worked && !emit('copied', { field })) return;
  copied.value = { field, value, worked, times: (copied.peek()?.times ?? 0) + 1 };
}

/** What stands on what copies, by whether it has worked. */
export const labelOfCopy = (worked: boolean | undefined): keyof Messages =>
  worked === undefined ? 'copy' : worked ? 'copied' : 'pressToCopy';

const names: { readonly [Field in CopyField]?: keyof Messages } = {
  accountNumber: 'copyAccountNumber',
  amount: 'copyAmount',
  missing: 'copyMissing',
  reference: 'copyReference',
};

/**
 * What a button to copy is called, for those who do not see what it stands beside, and what is said when it was pressed: what stands
 * on the button (`copy`), and of what.
 */
export function nameOfCopy(field: CopyField, copy: string, text: Translate): string {
  const name = names[field];
  return name ? text(name, { copy }) : `${text(field)}: ${copy}`;
}

/** Lets what is shown be pressed as the button beside it can, and still be selected: nothing lies above it. */
export function pressBeside({ target }: Event): void {
  const beside = (target as Element).closest('bdi')?.nextElementSibling as HTMLElement | null | undefined;
  beside?.click();
}
