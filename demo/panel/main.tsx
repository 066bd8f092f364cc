import { render } from 'preact';
import { App } from './app.tsx';
import { closeMenusBeside, listenToKeys } from './keyboard.ts';
import { createPanelModel } from './panel-model.ts';
import { watchPlace } from './place.ts';
import { createSandboxCalls } from './sandbox-calls.ts';

const root = document.querySelector('#panel');
if (root === null) throw new Error('The page has no element #panel to show the control panel in.');

// This page is at `/_sandbox/panel/` of the service.
const controlUrl = new URL('..', location.href).href.replace(/\/$/, '');
const model = createPanelModel({
  calls: createSandboxCalls({ controlUrl }),
  place: watchPlace(window),
  page: document,
});
const isDemo = new URLSearchParams(location.search).has('shop');
root.replaceChildren();
render(<App model={model} shopUrl={isDemo ? '/' : undefined} />, root);
listenToKeys(document);
closeMenusBeside(document);
model.start();
