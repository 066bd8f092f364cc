import { readFileSync } from 'node:fs';
import * as inspector from 'node:inspector';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { toNodeListener } from '../../../server-kit/node.ts';
import { projectFolder } from '../../setup/demo-process.ts';
import { createNotifiedShop } from '../kit/notified-shop.ts';
import { serve } from '../kit/serve.ts';
import { shopUrl } from '../kit/wired-shop.ts';

/**
 * A way is the files whose functions have called each other, and wait, when the work is done: the asynchronous call stack. A file that has
 * responded to the one that asked it (a decision of `order`, a signature, a parser, the store) is read where it is asked, and not on the way.
 * Nor are two that only wait for the work that they get.
 */
const onlyWait = ['core/time.ts', 'engine/wait.ts'];

/** Returns what notes the way to where it is called, from the outermost file to the innermost. */
function createWays() {
  const ways: Record<string, string[]> = {};
  const session = new inspector.Session();
  session.connect();
  onTestFinished(() => session.disconnect());
  session.post('Runtime.enable');
  session.post('Debugger.enable');
  session.post('Debugger.setAsyncCallStackDepth', { maxDepth: 1000 });
  const folder = `file://${join(projectFolder, 'server-kit')}/`;
  session.on('Runtime.consoleAPICalled', ({ params: { args, stackTrace } }) => {
    const urls: string[] = [];
    for (let stack = stackTrace; stack !== undefined; stack = stack.parent)
      urls.unshift(...stack.callFrames.map(({ url }) => url).reverse());
    const paths = urls.filter((url) => url.startsWith(folder)).map((url) => url.slice(folder.length));
    const files = paths.filter((path) => !path.startsWith('tools/') && !onlyWait.includes(path));
    ways[args[0]?.value] = files.filter((file, index) => file !== files[index - 1]);
  });
  // Only the inspector's own console has stacks.
  const { console } = inspector as unknown as { console: Console };
  return { ways, note: (place: string): void => console.trace(place) };
}

/** Returns the ways that the documentation draws: paths below `server-kit`. */
function drawnWays(): string[][] {
  const page = readFileSync(join(projectFolder, 'docs/development.md'), 'utf8');
  const section = page.split('## Two ways through the server')[1]?.split('\n## ')[0] ?? '';
  return [...section.matchAll(/```\n(.*?)```/gs)].map(([, drawing = '']) =>
    drawing.split(/\s*->\s*|\n/).filter(Boolean),
  );
}

it('Two ways through the engine are short, lead downwards, and are as they are drawn', async () => {
  const { ways, note } = createWays();
  let url = '';
  const callBack: typeof fetch = (input, init) => fetch(String(input).replace(shopUrl, url), init);
  const shop = createNotifiedShop({ onPaid: () => note('onPaid') }, { fetch: callBack });
  ({ url } = await serve(toNodeListener(shop.checkout)));
  shop.wire.intercept = (path, send) => {
    if (path === '/v1/payments') note('the signed request');
    return send();
  };
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${url}/checkout/sessions`, { method: 'POST', headers, body: '{}' });
  const { account } = await response.json();
  shop.pay(account.number);
  await shop.delivered();
  const { 'the signed request': toRequest = [], onPaid: toHandler = [] } = ways;
  expect([toRequest, toHandler]).toEqual(drawnWays());
  expect(toRequest.length).toBeLessThanOrEqual(12);
  expect(toHandler.length).toBeLessThanOrEqual(10);
  for (const way of [toRequest, toHandler]) expect(new Set(way).size).toBe(way.length);
});
