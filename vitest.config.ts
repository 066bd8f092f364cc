import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const root = fileURLToPath(new URL('.', import.meta.url));
const project = (name: string, include: string[], more: object = {}) => ({
  extends: true as const,
  test: { name, include, environment: 'node', ...more },
});

export default defineConfig({
  root,
  resolve: { tsconfigPaths: true },
  test: {
    projects: [
      project('node', ['test/{contract,core,model,server-kit,demo}/**/*.test.ts']),
      project('views', ['test/{views,mounts}/**/*.test.{ts,tsx}'], { environment: 'happy-dom', css: true }),
    ],
  },
});
