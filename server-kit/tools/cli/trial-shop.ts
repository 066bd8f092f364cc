/** The shop of `serve --sandbox` where no `ORDER_URL` is set: one order for each browser, for a first try. */
export const trialUrls = (origin: string) => ({
  ORDER_URL: `${origin}/trial/order`,
  WEBHOOK_URL: `${origin}/trial/webhook`,
});

const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>A first try of transfer-checkout</title>
<style>body { font-family: system-ui; max-width: 26rem; margin: 2rem auto; padding: 0 1rem; color-scheme: light dark }</style>
<script src="/assets/checkout.js" async></script>
<transfer-checkout merchant-name="A trial shop"></transfer-checkout>
<p><a href="PANEL">Send money in the sandbox</a></p>
</html>
`;

/** Creates the shop's fetch handler, and names its paths. `panelUrl` is the sandbox's. */
export function createTrialShop(panelUrl: string, random: () => number) {
  const json = (status: number, body: object): Response => Response.json(body, { status });
  const respond = async (request: Request): Promise<Response | undefined> => {
    const { pathname } = new URL(request.url);
    const [, orderId] = /(?:^|; )trial=(\w+)/.exec(request.headers.get('cookie') ?? '') ?? [];
    if (pathname === '/trial/webhook') return new Response(null, { status: 204 });
    if (pathname === '/trial/order' && orderId === undefined)
      return json(403, { message: 'Open the first page; its cookie names the order.' });
    if (pathname === '/trial/order')
      return json(200, { orderId, amount: { value: 1_250_000, currency: 'NGN' } });
    if (pathname !== '/') return undefined;
    const id = orderId ?? Math.floor(random() * 1e9).toString(36);
    const headers = {
      'content-type': 'text/html; charset=utf-8',
      'set-cookie': `trial=${id}; Path=/; HttpOnly; SameSite=Lax`,
    };
    return new Response(page.replace('PANEL', panelUrl), { headers });
  };
  return Object.assign(respond, { paths: ['/', '/trial/order', '/trial/webhook'] });
}
