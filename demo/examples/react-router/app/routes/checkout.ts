import { getCheckout } from '../shop.server.ts';

const handler = ({ request }: { request: Request }): Promise<Response> => getCheckout().handler(request);

export { handler as action, handler as loader };
