import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describeMounting } from './mounting-suite.ts';
import { buildExample } from './workspace.ts';

/** What a wrangler.toml says of the example, in the words of the runtime itself. */
const configOf = (port: string, names: readonly string[]): string => `
using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "shop", worker = .shop),
    (name = "internet", network = (allow = ["public", "private"])),
  ],
  sockets = [(name = "http", address = "*:${port}", http = (), service = "shop")],
);

const shop :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "out/workers.js")],
  compatibilityDate = "2026-11-01",
  durableObjectNamespaces = [(className = "ShopCheckout", uniqueKey = "shop-checkout")],
  durableObjectStorage = (inMemory = void),
  bindings = [
    (name = "CHECKOUT", durableObjectNamespace = "ShopCheckout"),
    ${names.map((name) => `(name = "${name}", fromEnvironment = "${name}"),`).join('\n    ')}
  ],
);
`;

describeMounting(
  'Workers',
  {
    async prepare(workspace, env) {
      await buildExample(workspace, 'workers', { withPackages: true });
      const config = join(workspace.folder, 'config.capnp');
      await writeFile(config, configOf(env.PORT, Object.keys(env)));
      return { command: ['workerd', 'serve', config] };
    },
  },
  { hasEnd: false },
);
