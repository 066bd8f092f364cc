import { getCheckout } from '../shop.server';

const handler = ({ request }: { request: Request }): Promise<Response> => getCheckout().handler(request);

export { handler as action, handler as loader };
