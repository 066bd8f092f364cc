export { Checkout } from './checkout.tsx';
export { applyStyles } from './styles.ts';
