import { render } from 'preact';
import { byId } from '../by-id.ts';
import { createSandboxCalls } from '../client/sandbox-calls.ts';
import { App } from './app.tsx';
import { addKeyboardShortcuts, closeMenusOnOutsidePress } from './keyboard.ts';
import { createPanelModel } from './model.ts';
import { serviceUrl, watchRoute } from './route.ts';

const calls = createSandboxCalls({ serviceUrl: serviceUrl() });
const model = createPanelModel(calls, watchRoute(window), document);
const isDemo = new URLSearchParams(location.search).has('shop');
const root = byId('panel');
root.replaceChildren();
render(<App model={model} shopUrl={isDemo ? '../../../' : undefined} />, root);
addKeyboardShortcuts(document);
closeMenusOnOutsidePress(document);
model.start();
