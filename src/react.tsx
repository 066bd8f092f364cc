/** @jsxImportSource react */
import {
  type DetailedHTMLProps,
  type HTMLAttributes,
  type JSX,
  type ReactNode,
  type Ref,
  useEffect,
  useImperativeHandle,
  useState,
} from 'react';
import type { TransferCheckoutElement } from './entry/element.ts';
import type { TransferCheckoutAttributes, TransferCheckoutListeners } from './entry/element-types.ts';
import { type CheckoutHandle, createReactCheckout } from './entry/react-checkout.ts';
import type { CheckoutOptions } from './options/options.ts';

export type { CheckoutHandle };

/** The props of `<transfer-checkout>`, which `transfer-checkout/element` defines. */
type OwnProps = TransferCheckoutAttributes & TransferCheckoutListeners;
type ElementProps = OwnProps &
  Omit<DetailedHTMLProps<HTMLAttributes<TransferCheckoutElement>, TransferCheckoutElement>, keyof OwnProps>;

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'transfer-checkout': ElementProps;
    }
  }
}

/** How the hook behaves; all other options are the checkout's. */
export type CheckoutHookOptions = {
  /**
   * Opens the checkout above the page when the component mounts, if this page showed it when the browser reloaded or ended the
   * page, for example behind the bank's app. Set it once the options name the order. Default: false.
   */
  readonly reopen?: boolean | undefined;
};

/**
 * Returns the handle of a checkout that lives as long as the component, and starts when it is first shown. Options equal to the
 * previous ones change nothing; callbacks may be written inline.
 *
 * @throws {CheckoutError} `invalid_options`, to the nearest error boundary
 */
export function useTransferCheckout(
  options: CheckoutOptions = {},
  { reopen = false }: CheckoutHookOptions = {},
): CheckoutHandle {
  const [checkout] = useState(createReactCheckout);
  useEffect(() => checkout.retain(), [checkout]);
  useEffect(() => checkout.setOptions(options));
  useEffect(() => (reopen ? checkout.reopen() : undefined), [checkout, reopen]);
  return checkout.handle;
}

export type TransferCheckoutProps = CheckoutOptions & {
  /** Receives the handle, with which the page opens, closes and refreshes the checkout. */
  readonly ref?: Ref<Omit<CheckoutHandle, 'ref'>> | undefined;
  readonly id?: string | undefined;
  readonly className?: string | undefined;
};

/** Renders a checkout in place. On the server, and until it is mounted, it is an empty element. */
export function TransferCheckout({ ref, id, className, ...options }: TransferCheckoutProps): ReactNode {
  const checkout = useTransferCheckout(options);
  useImperativeHandle(ref, () => checkout, [checkout]);
  return (<div ref={checkout.ref} id={id} className={className} />) as JSX.Element;
}
