import { ModuleProvider, Modules } from '@medusajs/framework/utils';
import { TransferProvider } from './transfer-provider';

export default ModuleProvider(Modules.PAYMENT, { services: [TransferProvider] });
