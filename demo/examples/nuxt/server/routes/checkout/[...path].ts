import { toNodeListener } from 'transfer-checkout/server-kit/node';

export default fromNodeMiddleware((request, response) => toNodeListener(getCheckout())(request, response));
