import { render } from 'preact';
import { createSandboxCalls } from '../client/sandbox-calls.ts';
import { App } from './app.tsx';
import { createPanelModel } from './model.ts';
import { watchRoute } from './route.ts';

// The panel is at `/_sandbox/panel/` below the service's base URL.
const serviceUrl = new URL('../..', location.href).href.replace(/\/$/, '');
const model = createPanelModel(createSandboxCalls({ serviceUrl }), watchRoute(window), document);
const isDemo = new URLSearchParams(location.search).has('shop');
const root = document.querySelector('#panel') as HTMLElement;
root.replaceChildren();
render(<App model={model} shopUrl={isDemo ? '../../../' : undefined} />, root);
model.start();
