export {
  CheckoutError,
  type CheckoutErrorCode,
  type PaymentView,
  type Session,
} from './contract/index.ts';
export { checkoutStyles, renderCheckout } from './entry/render-checkout.tsx';
export type { RenderOptions } from './entry/render-options.ts';
