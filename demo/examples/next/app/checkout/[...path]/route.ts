import { getShop } from '../../../shop';

const handler = (request: Request): Promise<Response> => getShop().checkout.handler(request);

export { handler as GET, handler as HEAD, handler as OPTIONS, handler as POST };
