/** What a checkout needs after its account is shown. Loaded then. */
export { watchPayment } from './poller.ts';
export { retrieveView } from './retrieve-view.ts';
