import { join } from 'node:path';
import sirv from 'sirv';
import { serveUntilClosed } from '../../server-kit/kit/serve.ts';

/** Serves a page on an origin of its own: the widget pays the payment collection of `?collection=` at the path `?route=` of Medusa. */
export function serveStorefront(folder: string, backendUrl: string) {
  const assets = sirv(join(folder, 'node_modules/transfer-checkout/dist/browser'));
  return serveUntilClosed((request, response) => {
    const { pathname, searchParams } = new URL(`${request.url}`, 'http://localhost');
    if (pathname !== '/') return assets(request, response);
    const body = JSON.stringify({ paymentCollectionId: searchParams.get('collection') });
    response.setHeader('content-type', 'text/html; charset=utf-8').end(`<!doctype html>
<html lang="en">
  <link rel="icon" href="data:," />
  <script src="/checkout.js" data-allowed-origins="${backendUrl}" async></script>
  <transfer-checkout base-url="${backendUrl}${searchParams.get('route')}" body='${body}'></transfer-checkout>
</html>`);
  });
}
