import { button, element, type Hostility, tag } from './hostility.ts';

/** Names of the document that the checkout reads. Preact reads two more, `createElementNS` and `createTextNode`. */
const documentNames = [
  ...['activeElement', 'addEventListener', 'baseURI', 'body', 'createElement'],
  ...['createTreeWalker', 'currentScript', 'documentElement', 'execCommand', 'getElementById'],
  ...['head', 'hidden', 'implementation', 'location', 'ownerDocument', 'prerendering', 'querySelector'],
  ...['querySelectorAll', 'readyState', 'removeEventListener', 'visibilityState'],
];
/** Names of an element that the checkout reads. */
const elementNames = [
  ...['addEventListener', 'append', 'ariaBusy', 'attachShadow', 'closest', 'dataset', 'dispatchEvent'],
  ...[
    'focus',
    'getAttribute',
    'hidden',
    'isConnected',
    'matches',
    'shadowRoot',
    'style',
    'tagName',
    'target',
  ],
];
const named = (names: readonly string[], begin: string): string =>
  names.map((name) => `<${begin} name="${name}">`).join('');

const images = named(documentNames, 'img');
const fields = named(elementNames, 'input type="hidden"');

/** Names of markup that hide those of the page, and events that its scripts send. */
export const clobbering: readonly Hostility[] = [
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
export const tags: readonly Hostility[] = [
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
