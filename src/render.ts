export {
  CheckoutError,
  type CheckoutErrorCode,
  type PaymentView,
  type Session,
} from './contract/index.ts';
export { checkoutStyles, renderCheckout } from './mount/render/render-checkout.ts';
export type { RenderOptions } from './mount/render/render-options.ts';
