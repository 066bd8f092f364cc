import { render } from 'preact';
import { byId } from '../by-id.ts';
import { createSandboxCalls } from '../client/sandbox-calls.ts';
import { App } from './app.tsx';
import { createPanelModel } from './model/panel-model.ts';
import { watchRoute } from './model/route.ts';
import { serviceUrl } from './model/service-url.ts';
import { addKeyboardShortcuts, closeMenusOnOutsidePress } from './page/keyboard.ts';

const model = createPanelModel({
  calls: createSandboxCalls({ serviceUrl: serviceUrl() }),
  route: watchRoute(window),
  page: document,
});
const isDemo = new URLSearchParams(location.search).has('shop');
const root = byId('panel');
root.replaceChildren();
render(<App model={model} shopUrl={isDemo ? '../../../' : undefined} />, root);
addKeyboardShortcuts(document);
closeMenusOnOutsidePress(document);
model.start();
