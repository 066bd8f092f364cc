import { getCheckout } from '$lib/server/shop';

const handler = ({ request }: { request: Request }): Promise<Response> => getCheckout().handler(request);

export { handler as GET, handler as HEAD, handler as OPTIONS, handler as POST };
