export {
  CheckoutError,
  type CheckoutErrorCode,
  type PaymentView,
  type Session,
} from './contract/index.ts';
export { checkoutStyles, type RenderOptions, renderCheckout } from './entry/render-checkout.tsx';
