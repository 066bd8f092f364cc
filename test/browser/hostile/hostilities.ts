import { scriptTag as tag } from '../shop-page.ts';

/** What a page does to the checkout, and what the shopper sees in spite of it. */
export type Hostility = {
  readonly name: string;
  /** A script of the page that runs before the checkout's. */
  readonly before?: string;
  /** In place of the script tag. */
  readonly tag?: string;
  /** In place of the element; it has `OPTIONS` where the attributes of the order belong, with `data-` before them. */
  readonly body?: string;
  /** Shows the page in a frame with these attributes, on a page of another origin. */
  readonly frame?: string;
  /** A selector of what the shopper presses to see the account. */
  readonly press?: string;
  /** A script of the page that runs while the account is shown. */
  readonly meanwhile?: string;
  /** A sentence that the shopper sees instead of an account. */
  readonly sentence?: RegExp;
};

export const element = '<transfer-checkout OPTIONS></transfer-checkout>';
const button = '<button id="pay" data-transfer-checkout OPTIONS>Pay</button>';

const both = (property: string): string =>
  `for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(window, name, ${property});`;

/** Storage that is blocked, missing, full, or written by others. */
const hostileStorage: readonly Hostility[] = [
  {
    name: 'storage throws',
    before: both(`{ get() { throw new DOMException('Refused.', 'SecurityError'); } }`),
  },
  { name: 'storage is null, as in some apps', before: both('{ value: null }') },
  {
    name: 'storage is full',
    before: `Storage.prototype.setItem = () => { throw new DOMException('Full.', 'QuotaExceededError'); };`,
  },
  {
    name: 'storage is poisoned',
    before: `const entry = { reference: 'a', clientSecret: 'b', server: '/checkout', order: '0', endedAtMs: 1e300, sentAfter: -1 };
      for (const storage of [localStorage, sessionStorage]) for (const key of ['', '-open', '-language'])
        storage.setItem('transfer-checkout' + key, JSON.stringify([entry, null, 5, { __proto__: entry }]) + ' '.repeat(1e5));`,
  },
  {
    name: 'storage returns what is not a text',
    before: 'Storage.prototype.getItem = () => ({ length: 1 });',
  },
];

/** Names of the document that the checkout reads. Preact reads two more, `createElementNS` and `createTextNode`. */
const documentNames = `activeElement addEventListener baseURI body createElement createTreeWalker currentScript
  documentElement execCommand getElementById head hidden implementation location ownerDocument prerendering
  querySelector querySelectorAll readyState removeEventListener visibilityState`;
/** Names of an element that the checkout reads. */
const elementNames = `addEventListener append ariaBusy attachShadow closest dataset dispatchEvent focus
  getAttribute hidden isConnected matches shadowRoot style tagName target`;
const named = (names: string, begin: string): string => names.replaceAll(/\w+/g, `<${begin} name="$&">`);

const images = named(documentNames, 'img');
const fields = named(elementNames, 'input type="hidden"');

/** Names of markup that hide those of the page, and events that its scripts send. */
const clobbering: readonly Hostility[] = [
  { name: 'images have the names of the document', body: images + element },
  { name: 'images have the names of the document, before a button', body: images + button, press: '#pay' },
  {
    name: 'a form around the element has fields with the names of elements',
    body: `<form id="around">${fields}${element}<p id="text">Pay here</p></form>`,
    meanwhile: `const form = document.querySelector('form'); EventTarget.prototype.dispatchEvent.call(form, new MouseEvent('click', { bubbles: true }));`,
  },
  {
    name: 'a script sends the document clicks, pointers and focus',
    body: element,
    meanwhile: `for (const type of ['click', 'pointerover', 'focusin', 'online', 'visibilitychange', 'storage'])
      for (const target of [document, document.documentElement]) target.dispatchEvent(new Event(type, { bubbles: true }));`,
  },
  {
    name: 'a field has the name of an element of the checkout',
    body: `<input id="transfer-checkout" name="TransferCheckout"><a id="TransferCheckout"></a>${element}`,
  },
];

const dynamic = (more = ''): string =>
  `<script>addEventListener('load', () => { const script = document.createElement('script'); script.src = '/package/checkout.js'; ${more} document.head.append(script); });</script>`;
const again = `const element = document.querySelector('transfer-checkout');`;

/** The script tag and the element in unusual numbers, places and moments. */
const tags: readonly Hostility[] = [
  { name: 'the tag is there twice', tag: tag + tag },
  { name: 'the tag is there as a module and as a script', tag: tag + tag.replace('async', 'type="module"') },
  { name: 'the tag is added after the page', tag: dynamic() },
  { name: 'the tag is removed while its files load', tag: dynamic('script.onload = () => script.remove();') },
  {
    name: 'the element is removed while its request is under way, and comes back',
    before: `addEventListener('load', () => { ${again} const { parentNode } = element; element.remove(); setTimeout(() => parentNode.append(element), 50); });`,
  },
  {
    name: 'a router replaces the whole body by its own text',
    before: `addEventListener('load', () => setTimeout(() => { document.body.innerHTML = document.body.innerHTML; }, 20));`,
  },
  {
    name: 'the element is moved while the account is shown',
    body: `<div>${element}</div><p></p>`,
    meanwhile: `${again} document.querySelector('p').append(element);`,
  },
  {
    name: 'another script has an element of this name',
    before: `customElements.define('transfer-checkout', class extends HTMLElement {});`,
    body: `${element}${button}`,
    press: '#pay',
  },
];

/** A frame without an origin has no storage, and the shop's server refuses it. */
const sandboxed = {
  frame: 'sandbox="allow-scripts"',
  // Retries follow soon.
  before: 'Math.random = () => 0.05;',
};

/** The page in a frame of a page of another origin. */
const frames: readonly Hostility[] = [
  { name: 'a frame is of another origin', frame: '' },
  {
    name: 'a frame of another origin has a button',
    frame: '',
    body: button,
    // By script, because Firefox's driver does not reach into a frame of another origin.
    before: `addEventListener('load', () => document.querySelector('#pay').click());`,
  },
  {
    ...sandboxed,
    name: 'a sandboxed frame has no origin',
    tag: tag.replace('async', 'async crossorigin'),
    sentence: /right now.*keeps trying/s,
  },
  {
    ...sandboxed,
    name: 'a sandboxed frame has a plain tag',
    // Chromium loads the widget of another origin only with `crossorigin`.
    sentence: /could not be loaded.*Try again|right now.*keeps trying/s,
  },
];

/** Every hostile page. */
export const hostilities: readonly Hostility[] = [...hostileStorage, ...clobbering, ...tags, ...frames];
/** Those on which browsers differ: what the document's names hide, and what frames may do. */
export const engineHostilities: readonly Hostility[] = [...clobbering, ...frames];
