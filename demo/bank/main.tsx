import { signal } from '@preact/signals';
import { render } from 'preact';
import { createSandboxCalls } from '../../server-kit/tools/sandbox/pages/client/sandbox-calls.ts';
import { byId } from '../elements.ts';
import { addressOf } from '../shop-pages.ts';
import { serverReady } from '../start/server-ready.ts';
import { BankApp } from './bank-app.tsx';
import { createBank } from './model/bank-model.ts';

/** The bank app on a page of its own, for checkouts on pages without one. */
byId<HTMLAnchorElement>('back').href = addressOf(new URLSearchParams(location.search).get('back'));

const calls = createSandboxCalls({ serviceUrl: new URL('./service', document.baseURI).href });
render(<BankApp bank={createBank({ calls, onPage: signal(undefined) })} isSheet={false} />, byId('bank'));
await serverReady();
