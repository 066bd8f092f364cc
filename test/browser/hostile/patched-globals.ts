import { button, type Hostility } from './hostility.ts';

/** Retries follow soon, so that the test need not wait for the sentence. */
const blocked = `window.fetch = () => { throw new Error('blocked'); };
  Math.random = () => 0.05;`;

/** Globals that an old library, a polyfill or a monitor has replaced. */
export const patchedGlobals: readonly Hostility[] = [
  {
    name: 'a monitor wraps fetch, and reads its options and its responses',
    before: `const { fetch: send } = window;
      window.fetch = async (url, options = {}) => {
        for (const name of ['method', 'body']) if (options.hasOwnProperty(name)) window.seen = options[name];
        const response = await send(url, options);
        void response.clone().text();
        return response;
      };`,
  },
  {
    name: 'a polyfill sends fetch by XMLHttpRequest',
    before: `window.fetch = (url, options = {}) => new Promise((resolve, reject) => {
        const request = new XMLHttpRequest();
        request.open(options.method || 'GET', url);
        for (const name of Object.keys(options.headers || {})) request.setRequestHeader(name, options.headers[name]);
        request.onerror = () => reject(new TypeError('Network request failed'));
        request.onload = () => resolve({
          ok: request.status >= 200 && request.status < 300,
          status: request.status,
          headers: { get: (name) => request.getResponseHeader(name) },
          text: () => Promise.resolve(request.responseText),
          json: () => Promise.resolve(request.responseText).then(JSON.parse),
        });
        request.send(options.body);
      });`,
  },
  {
    name: 'a wrapper of fetch forgets the signal, and the first poll never ends',
    before: `const { fetch: send } = window;
      let isFirst = true;
      window.fetch = (url, { method, headers, body }) => {
        if (method !== 'POST' && isFirst) { isFirst = false; return new Promise(() => {}); }
        return send(url, { method, headers, body });
      };`,
    meanwhile: `setInterval(() => dispatchEvent(new Event('pageshow')), 200);`,
  },
  {
    name: 'a blocker lets fetch throw',
    before: blocked,
    sentence: /right now.*keeps trying/s,
  },
  {
    name: 'a blocker lets fetch throw, and the shopper presses a button',
    before: blocked,
    body: button,
    press: '#pay',
    sentence: /right now.*keeps trying/s,
  },
  {
    name: 'Promise is a polyfill without finally',
    before: `const Native = Promise;
      window.Promise = function (run) { this.inner = new Native(run); };
      Promise.prototype.then = function (done, failed) {
        const next = this.inner.then(done, failed);
        return new Promise((resolve, reject) => { next.then(resolve, reject); });
      };
      Promise.prototype.catch = function (failed) { return this.then(undefined, failed); };
      for (const name of ['resolve', 'reject', 'all', 'race'])
        Promise[name] = (given) => new Promise((resolve, reject) => { Native[name](given).then(resolve, reject); });
      delete Native.prototype.finally;`,
  },
  {
    name: 'a framework wraps the then of every promise',
    before: `const { then } = Promise.prototype;
      Promise.prototype.then = function (done, failed) {
        const wrap = (run) => (typeof run === 'function' ? (value) => run(value) : run);
        return then.call(this, wrap(done), wrap(failed));
      };`,
  },
  {
    name: 'Prototype.js adds toJSON to lists and texts',
    before: `Array.prototype.toJSON = function () { return '[' + this.map((one) => JSON.stringify(one)).join(', ') + ']'; };
      String.prototype.toJSON = function () { return '"' + this + '"'; };`,
  },
  {
    name: 'JSON.parse turns timestamps into dates',
    before: `const { parse } = JSON;
      JSON.parse = (text) => parse(text, (_, value) =>
        typeof value === 'string' && /^\\d{4}-\\d\\d-\\d\\dT/.test(value) ? new Date(value) : value);`,
  },
  {
    name: 'Datejs lets Date.parse return a date',
    before: `const { parse } = Date;
      Date.parse = (text) => new Date(parse(text));`,
  },
  {
    name: 'a test library has stopped the date, two years ago',
    before: `const Native = Date;
      window.Date = class extends Native {
        constructor(...given) { super(...(given.length ? given : [1700000000000])); }
        static now() { return 1700000000000; }
      };`,
  },
  {
    name: 'there is no crypto',
    before: `Object.defineProperty(window, 'crypto', { value: undefined });`,
  },
  {
    name: 'there are no Web Locks, no observers, no idle time and no constructed style sheets',
    before: `for (const name of ['ResizeObserver', 'IntersectionObserver', 'requestIdleCallback', 'cancelIdleCallback', 'CSSStyleSheet', 'visualViewport'])
        Object.defineProperty(window, name, { value: undefined, configurable: true });
      Object.defineProperty(Navigator.prototype, 'locks', { value: undefined });`,
  },
  {
    name: 'there is no clipboard',
    before: `Object.defineProperty(Navigator.prototype, 'clipboard', { value: undefined });
      Document.prototype.execCommand = undefined;`,
    meanwhile: `window.watched.find('.accountNumber button').click();`,
  },
  {
    name: 'every object inherits the functions of an old library',
    before: `for (const name of ['each', 'extend', 'keys', 'values', 'clone', 'key', 'ref', 'children', 'type', 'props', 'isEmpty'])
        Object.prototype[name] = function () { return this; };`,
  },
  {
    name: 'every object inherits options of fetch',
    before: `Object.assign(Object.prototype, { integrity: 'sha256-AAAA', cache: 'only-if-cached' });`,
  },
  {
    name: 'every object inherits the words of property descriptors',
    before: `for (const name of ['get', 'set', 'value']) Object.prototype[name] = undefined;`,
    // The packages cannot be loaded.
    sentence: /could not be loaded.*Try again/s,
  },
  {
    name: 'lists have the enumerable functions of an old library, and Array.from is MooTools’s',
    before: `for (const name of ['contains', 'last', 'first', 'remove', 'each', 'clone', 'size', 'without', 'flatten'])
        Array.prototype[name] = function () { return this; };
      Array.from = (item) => item == null ? [] : typeof item === 'object' && 'length' in item ? Array.prototype.slice.call(item) : [item];
      Function.prototype.bind = function (context, ...given) { const run = this; return function (...more) { return run.apply(context, [...given, ...more]); }; };`,
  },
  {
    name: 'elements have the functions of an old library',
    before: `for (const name of ['update', 'insert', 'select', 'observe', 'fire', 'store', 'show', 'hide', 'wrap', 'up', 'down', 'open', 'close', 'refresh', 'mount', 'props', 'body', 'session', 'locale', 'text'])
        Element.prototype[name] = function () { return this; };`,
  },
];
