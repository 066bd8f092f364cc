import { render } from 'preact';
import { App } from './app.tsx';
import { createPanelModel } from './panel-model.ts';
import { createSandboxCalls } from './sandbox-calls.ts';

const place = document.querySelector('#panel');
if (place === null) throw new Error('The page has no element #panel to show the control panel in.');

const baseUrl = new URL('/service', location.origin).href;
const model = createPanelModel({ calls: createSandboxCalls({ baseUrl }), page: document });
place.replaceChildren();
render(<App model={model} baseUrl={baseUrl} />, place);
model.start();
