import { byId } from '../elements.ts';
import { serverReady } from './server-ready.ts';

/** This page stands in for pages that the demo's server makes, until it runs. */
try {
  await serverReady();
  location.reload();
} catch (error) {
  byId('notice').textContent = error instanceof Error ? error.message : String(error);
}
