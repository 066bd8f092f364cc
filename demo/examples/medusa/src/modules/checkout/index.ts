import { ModuleProvider, Modules } from '@medusajs/framework/utils';
import { CheckoutProvider } from './checkout-provider';

export default ModuleProvider(Modules.PAYMENT, { services: [CheckoutProvider] });
