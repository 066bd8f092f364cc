import type { KnipConfig } from 'knip';
import { compilerOptions } from './tsconfig.json';

/** Finds files, exports and packages that nothing uses. Entries are what a build, a command, another runtime or a test starts by its path. */
const config: KnipConfig = {
  entry: [
    ...Object.values(compilerOptions.paths).flat(),
    'src/{script-tag,widget}.ts',
    'server-kit/tools/cli/main.ts',
    'server-kit/tools/sandbox/pages/{panel,pay}/main.{ts,tsx}',
    'demo/*/main.{ts,tsx}',
    'demo/hosted/worker.ts',
    'demo/node/server.ts',
    'demo/examples/{express/server,servers/fastify,servers/hono}.js',
    'docs/generate/{write-*,name-release,draw-*}.ts',
    'docs/.vitepress/{config,theme/index}.ts',
    'test/**/main.ts',
    'test/{fuzz,server-kit/soak}/start.js',
    'test/bench/browser/yardstick/yardstick.ts',
    'test/runtimes/paid-order.js',
    'test/server-kit/tools/cli/reconcile-shop.ts',
    'vitest.mutate.config.ts',
  ],
  // The other examples are projects of their own.
  ignore: ['demo/examples/**'],
  // Named only in commands, in samples of the documentation, or by the path of a font.
  ignoreDependencies: [
    '@arethetypeswrong/cli',
    '@opentelemetry/api-logs',
    'bun',
    'dejavu-fonts-ttf',
    'deno',
    'pino',
    'prom-client',
    'workerd',
  ],
  // Debian's, for the tests of a full disk and of a systemd unit.
  ignoreBinaries: ['mount', 'umount', 'systemd-analyze'],
  ignoreExportsUsedInFile: { interface: true, type: true },
};

export default config;
