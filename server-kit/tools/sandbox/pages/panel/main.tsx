import { render } from 'preact';
import { byId } from '../by-id.ts';
import { createSandboxCalls } from '../client/sandbox-calls.ts';
import { App } from './app.tsx';
import { createPanelModel } from './model/panel-model.ts';
import { watchRoute } from './model/route.ts';
import { addKeyboardShortcuts, closeMenusOnOutsidePress } from './page/keyboard.ts';

// This page is at `/_sandbox/panel/` below the service.
const controlUrl = new URL('..', location.href).href.replace(/\/$/, '');
const model = createPanelModel({
  calls: createSandboxCalls({ controlUrl }),
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
