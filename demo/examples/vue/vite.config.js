import vue from '@vitejs/plugin-vue';
import { defineConfig } from 'vite';

export default defineConfig({
  // Vue must know that it is an element and no component.
  plugins: [
    vue({ template: { compilerOptions: { isCustomElement: (tag) => tag === 'transfer-checkout' } } }),
  ],
});
