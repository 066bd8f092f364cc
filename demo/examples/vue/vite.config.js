import vue from '@vitejs/plugin-vue';
import { defineConfig } from 'vite';

const server = 'http://localhost:3000';

export default defineConfig({
  // Vue must know that it is an element and no component.
  plugins: [
    vue({ template: { compilerOptions: { isCustomElement: (tag) => tag === 'transfer-checkout' } } }),
  ],
  // `npm run dev`: pages come from Vite, and the rest from server.js.
  server: { proxy: { '/checkout': server, '/orders': server } },
});
