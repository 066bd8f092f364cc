/**
 * The rooms of the source, which are its folders, each with the rooms that it may import, types included. Names are those of folders in
 * the same area, or begin with another area. Stars stand for all rooms below a folder, and the folder itself.
 */
export const rooms: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  src: {
    '.': 'package.json **',
    contract: '',
    core: 'contract core/**',
    'core/connection': 'contract core/machine',
    'core/machine': 'contract',
    'core/session': 'contract core/machine core/connection',
    entry: 'contract core/** i18n options widget/** entry/**',
    'entry/element': 'contract options widget/dom entry entry/options',
    'entry/options': 'contract options widget/dom widget/model',
    'entry/render': 'contract core/machine i18n options widget/** entry/options entry/script-tag',
    'entry/reopen':
      'contract core/machine core/session options widget/dom widget/modal widget/model entry/options',
    'entry/script-tag': 'package.json contract options widget/dom entry entry/reopen',
    i18n: 'contract core/connection',
    options: 'contract core/machine i18n',
    widget: 'contract core/connection core/machine i18n options widget/**',
    'widget/announcer': 'i18n widget/description widget/dom widget/hooks widget/model widget/parts',
    'widget/description': 'contract core/machine i18n',
    'widget/dom': 'core/connection widget/model',
    'widget/hooks': 'core/connection core/machine i18n widget/dom widget/model',
    'widget/lazy': 'widget/description',
    'widget/modal': 'core/machine widget/announcer widget/description widget/dom widget/model',
    'widget/model': 'core/** i18n options widget/description',
    'widget/parts':
      'contract core/connection core/machine i18n options widget/description widget/dom widget/hooks widget/lazy widget/model',
    'widget/screens':
      'contract core/machine i18n widget/announcer widget/description widget/hooks widget/parts',
    'widget/styles': '',
  },
  'server-kit': {
    '.': 'src/contract client client/http checkout/** drivers/memory',
    client: 'src/contract client/**',
    'client/api': 'src/contract client/options',
    'client/async': '',
    'client/errors': 'src/contract',
    'client/options': 'src/contract client/errors',
    'client/http': 'src/contract client/async client/signing',
    'client/platform':
      'src/contract client/api client/async client/errors client/options client/http client/resources client/signing',
    'client/request': 'client/api client/async client/errors client/http client/options client/signing',
    'client/resources': 'client/api client/options client/request',
    'client/signing': 'client/api',
    checkout: 'src/contract client client/async client/http client/options client/signing checkout/**',
    'checkout/order': 'src/contract client/api client/errors client/platform client/signing',
    'checkout/outbox': 'src/contract client/async checkout/order checkout/ports checkout/telemetry',
    'checkout/ports': 'checkout/order',
    'checkout/routes': 'src/contract client/async client/http client/signing checkout/**',
    'checkout/routes/access':
      'src/contract client/async client/http client/options client/signing checkout/**',
    'checkout/shell':
      'src/contract client client/api client/async client/errors client/options client/platform client/signing checkout/order checkout/outbox checkout/ports checkout/telemetry checkout/verification',
    'checkout/telemetry':
      'src/contract client/async client/errors client/http client/signing checkout/order checkout/ports',
    'checkout/verification': 'client client/async client/errors checkout/ports checkout/telemetry',
    'drivers/memory': 'client/options checkout/order checkout/ports',
    'drivers/postgres': 'client/async client/options checkout/order checkout/ports drivers/sql',
    'drivers/sql': 'src/contract checkout/order checkout/ports',
    'drivers/sqlite': 'src/contract client/async client/options checkout/ports drivers/sql',
    'tools/cli':
      'package.json src/contract client client/api client/async client/errors client/http client/platform client/signing checkout tools/sandbox tools/sandbox/callbacks tools/sandbox/calls tools/sandbox/input tools/sandbox/node tools/sandbox/request-log tools/sandbox/settings tools/testing',
    'tools/sandbox':
      'client/signing tools/sandbox/callbacks tools/sandbox/calls tools/sandbox/errors tools/sandbox/http tools/sandbox/records tools/sandbox/request-log tools/sandbox/settings tools/sandbox/state tools/sandbox/world',
    'tools/sandbox/callbacks':
      'src/contract client/api client/async client/http client/signing tools/sandbox/settings tools/sandbox/state',
    'tools/sandbox/calls':
      'src/contract client/api tools/sandbox/callbacks tools/sandbox/errors tools/sandbox/input tools/sandbox/records tools/sandbox/state tools/sandbox/world',
    'tools/sandbox/errors': 'client/errors',
    'tools/sandbox/http':
      'src/contract client/api client/errors client/http client/signing tools/sandbox/calls tools/sandbox/errors tools/sandbox/input tools/sandbox/records tools/sandbox/request-log tools/sandbox/settings tools/sandbox/state tools/sandbox/world',
    'tools/sandbox/input': 'client/api client/errors client/signing tools/sandbox/errors',
    'tools/sandbox/node':
      'src/contract client/http client/options tools/sandbox tools/sandbox/errors tools/sandbox/http tools/sandbox/state',
    'tools/sandbox/pages': '',
    'tools/sandbox/pages/client': 'client/signing tools/sandbox tools/sandbox/calls',
    'tools/sandbox/pages/format': 'client/platform tools/sandbox',
    'tools/sandbox/pages/panel':
      'tools/sandbox tools/sandbox/pages tools/sandbox/pages/client tools/sandbox/pages/format',
    'tools/sandbox/pages/panel/styles': '',
    'tools/sandbox/pages/pay': 'src tools/sandbox/http tools/sandbox/pages',
    'tools/sandbox/records':
      'src/contract client/api tools/sandbox/errors tools/sandbox/input tools/sandbox/state',
    'tools/sandbox/request-log': 'client/api client/errors client/signing tools/sandbox/state',
    'tools/sandbox/settings':
      'src/contract client/api client/async client/errors client/options client/signing tools/sandbox/input tools/sandbox/records tools/sandbox/request-log tools/sandbox/state',
    'tools/sandbox/state': 'tools/sandbox/errors',
    'tools/sandbox/world':
      'client/api tools/sandbox/callbacks tools/sandbox/errors tools/sandbox/records tools/sandbox/request-log tools/sandbox/settings tools/sandbox/state',
    'tools/testing':
      'src/contract client/** checkout/** drivers/memory tools/sandbox tools/sandbox/callbacks',
  },
  demo: {
    '.': '',
    activity:
      'merchant server-kit/tools/sandbox server-kit/tools/sandbox/pages/client server-kit/tools/sandbox/pages/format',
    bank: '. bank/** start server-kit/tools/sandbox server-kit/tools/sandbox/pages/client server-kit/tools/sandbox/pages/format',
    'bank/model':
      'server-kit/tools/sandbox server-kit/tools/sandbox/pages/client server-kit/tools/sandbox/pages/format',
    'bank/steps': 'bank/model server-kit/tools/sandbox server-kit/tools/sandbox/pages/format',
    film: 'bank bank/model gallery/screens server-kit/tools/sandbox src/**',
    gallery: 'gallery/screens src/**',
    'gallery/screens': 'src/**',
    hosted: 'hosted/storage merchant server-kit server-kit/tools/sandbox server-kit/tools/sandbox/http',
    'hosted/storage':
      'merchant server-kit/client/async server-kit/checkout/** server-kit/drivers/memory server-kit/tools/sandbox',
    look: 'look/**',
    'look/model': 'gallery src/**',
    'look/page': 'gallery look/model src/**',
    merchant: '. src src/entry/script-tag server-kit server-kit/tools/sandbox/pages/format',
    node: 'merchant server-kit server-kit/client/http server-kit/drivers/** server-kit/tools/sandbox server-kit/tools/sandbox/node',
    shop: '. activity bank film merchant start src server-kit/tools/sandbox/pages/client server-kit/tools/sandbox/pages/format',
    start: '. hosted',
  },
};

/** The rooms that may import each package. Node's own modules are the linter's business. */
export const packages: Readonly<Record<string, string>> = {
  '@libsql/client': 'server-kit/drivers/sqlite demo/node',
  '@preact/signals': 'src/i18n src/widget/** server-kit/tools/sandbox/pages/** demo/**',
  commander: 'server-kit/tools/cli',
  idb: 'demo/hosted/storage',
  pg: 'server-kit/drivers/postgres demo/node',
  preact: 'src src/widget/** src/entry/** server-kit/tools/sandbox/pages/** demo/**',
  'preact-render-to-string': 'src/entry/render',
  qrcode: 'src/widget/lazy',
  react: 'src',
  sirv: 'server-kit/tools/sandbox/node demo/node',
  svelte: 'src',
  valibot: 'src/contract src/core/connection src/entry/** server-kit/**',
  vue: 'src',
};
