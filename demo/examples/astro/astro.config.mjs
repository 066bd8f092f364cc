import node from '@astrojs/node';
import preact from '@astrojs/preact';
import { defineConfig } from 'astro/config';

export default defineConfig({
  output: 'server',
  adapter: node({ mode: 'standalone' }),
  integrations: [preact()],
  // The address of the shop. Without it Astro does not know its own origin, and refuses the form of the button "Buy".
  security: { allowedDomains: [{ protocol: 'http', hostname: 'localhost' }] },
});
