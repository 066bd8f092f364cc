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
    '.': 'src/contract core checkout/** drivers/memory',
    core: 'src/contract',
    service: 'src/contract core',
    checkout: 'src/contract core checkout/**',
    'checkout/order': 'src/contract core',
    'checkout/outbox': 'src/contract core checkout/order checkout/ports checkout/telemetry',
    'checkout/ports': 'core checkout/order',
    'checkout/routes': 'src/contract core checkout/**',
    'checkout/routes/access': 'src/contract core checkout/ports checkout/telemetry',
    'checkout/shell':
      'src/contract core checkout/order checkout/outbox checkout/ports checkout/telemetry checkout/verification',
    'checkout/telemetry': 'src/contract core checkout/order checkout/ports',
    'checkout/verification': 'core checkout/ports checkout/telemetry',
    'drivers/memory': 'core checkout/order checkout/ports',
    'drivers/postgres': 'core checkout/order checkout/ports drivers/sql',
    'drivers/sql': 'src/contract checkout/order checkout/ports',
    'drivers/sqlite': 'src/contract core checkout/ports drivers/sql',
    'tools/cli': 'package.json src/contract core service checkout/** tools/**',
    'tools/sandbox': 'checkout/** tools/sandbox/**',
    'tools/sandbox/callbacks':
      'src/contract core service tools/sandbox/settings tools/sandbox/state checkout/telemetry checkout/ports',
    'tools/sandbox/calls':
      'src/contract core service tools/sandbox/callbacks tools/sandbox/errors tools/sandbox/input tools/sandbox/records tools/sandbox/state tools/sandbox/world',
    'tools/sandbox/errors': '',
    'tools/sandbox/http':
      'core service tools/sandbox/calls tools/sandbox/errors tools/sandbox/input tools/sandbox/records tools/sandbox/request-log tools/sandbox/settings tools/sandbox/state tools/sandbox/world checkout/routes/access',
    'tools/sandbox/input': 'core service tools/sandbox/errors',
    'tools/sandbox/node':
      '. src/contract core tools/sandbox tools/sandbox/errors tools/sandbox/http tools/sandbox/state',
    'tools/sandbox/pages': '',
    'tools/sandbox/pages/client': 'tools/sandbox tools/sandbox/calls core',
    'tools/sandbox/pages/format': 'service tools/sandbox',
    'tools/sandbox/pages/panel':
      'tools/sandbox tools/sandbox/pages tools/sandbox/pages/client tools/sandbox/pages/format',
    'tools/sandbox/pages/panel/styles': '',
    'tools/sandbox/pages/pay': 'src tools/sandbox/http tools/sandbox/pages',
    'tools/sandbox/records':
      'src/contract core service tools/sandbox/errors tools/sandbox/input tools/sandbox/state',
    'tools/sandbox/request-log': 'core service tools/sandbox/state',
    'tools/sandbox/settings':
      'src/contract core service tools/sandbox/input tools/sandbox/records tools/sandbox/request-log tools/sandbox/state checkout',
    'tools/sandbox/state': 'tools/sandbox/errors',
    'tools/sandbox/world':
      'core service tools/sandbox/callbacks tools/sandbox/errors tools/sandbox/records tools/sandbox/request-log tools/sandbox/settings tools/sandbox/state',
    'tools/testing': 'src/contract core service checkout/** drivers/memory tools/sandbox/**',
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
      'merchant server-kit/core server-kit/checkout/** server-kit/drivers/memory server-kit/tools/sandbox',
    look: 'look/**',
    'look/model': 'gallery src/**',
    'look/page': 'gallery look/model src/**',
    merchant: '. src src/entry/script-tag server-kit server-kit/tools/sandbox/pages/format',
    node: 'merchant server-kit server-kit/drivers/** server-kit/tools/sandbox server-kit/tools/sandbox/node',
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
