/** @jsxImportSource react */
import {
  type DetailedHTMLProps,
  type HTMLAttributes,
  type JSX,
  type ReactNode,
  type Ref,
  type RefCallback,
  useEffect,
  useImperativeHandle,
  useState,
} from 'react';
import type { TransferCheckoutAttributes, TransferCheckoutElement } from './mount/custom-element.ts';
import type { CheckoutOptions } from './mount/options/options.ts';
import { createReactCheckout } from './mount/react.ts';

/** Of `transfer-checkout/element`. */
type ElementProps = TransferCheckoutAttributes &
  Omit<
    DetailedHTMLProps<HTMLAttributes<TransferCheckoutElement>, TransferCheckoutElement>,
    keyof TransferCheckoutAttributes
  >;

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'transfer-checkout': ElementProps;
    }
  }
}

/** What a component can do with its checkout. */
export type CheckoutHandle = {
  /** Shows the checkout inside the element that has this as its `ref`, for as long as the element is there. */
  readonly ref: RefCallback<HTMLElement>;
  /** Shows it above the page; `teller` tells its events, such as the button that was pressed. */
  readonly open: (teller?: Element) => Promise<void>;
  /** Takes it out of sight, and goes on watching; see `TransferCheckout`. */
  readonly close: () => void;
  /** Looks at the payment at once. */
  readonly refresh: () => void;
};

/**
 * One checkout for as long as the component is there. It starts when it is first shown. Options that are equal to those
 * before change nothing, and callbacks may be written inline. The handle stays the same.
 *
 * Throws a `CheckoutError` with `invalid_options` into the nearest error boundary.
 */
export function useTransferCheckout(options: CheckoutOptions = {}): CheckoutHandle {
  const [checkout] = useState(createReactCheckout);
  useEffect(() => checkout.keep(), [checkout]);
  useEffect(() => checkout.use(options));
  return checkout.handle;
}

export type TransferCheckoutProps = CheckoutOptions & {
  /** Gets the handle, by which the page opens, closes and refreshes the checkout. */
  readonly ref?: Ref<Omit<CheckoutHandle, 'ref'>> | undefined;
  readonly id?: string | undefined;
  readonly className?: string | undefined;
};

/**
 * A checkout in its place on the page. On the server, and until it is on a page, an empty element.
 */
export function TransferCheckout({ ref, id, className, ...options }: TransferCheckoutProps): ReactNode {
  const checkout = useTransferCheckout(options);
  useImperativeHandle(ref, () => checkout, [checkout]);
  return (<div ref={checkout.ref} id={id} className={className} />) as JSX.Element;
}
