import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createElement } from 'react';
import { renderToString as renderReact } from 'react-dom/server';
import { compile } from 'svelte/compiler';
import { render as renderSvelte } from 'svelte/server';
import { createSSRApp } from 'vue';
import { renderToString as renderVue } from 'vue/server-renderer';
import { projectFolder } from '../../setup/demo-process.ts';
import * as react from './react-page.ts';
import * as vue from './vue-page.ts';

type Framework = {
  /** Renders the page on a server, with the HTML of `renderCheckout` in it. */
  readonly render: (html: string) => Promise<string>;
  /** The browser's script, which hydrates `root` with `props`. */
  readonly script: string;
};

const folder = import.meta.dirname;
const svelteFolder = join(projectFolder, 'build/hydration');

/** A page with an empty element, and one that `renderCheckout` has rendered. */
const svelteSource = `
  <script>
    let { html } = $props();
    let place = $state('on the server');
    $effect(() => {
      place = 'in the browser';
    });
  </script>

  <main>
    <transfer-checkout base-url="/checkout"></transfer-checkout>
    <div>{@html html}</div>
    <p>Rendered {place}</p>
  </main>`;

async function compileSvelte(generate: 'server' | 'client'): Promise<string> {
  const { js } = compile(svelteSource, { generate, dev: true, filename: 'page.svelte' });
  const path = join(svelteFolder, `${generate}.js`);
  await mkdir(svelteFolder, { recursive: true });
  await writeFile(path, js.code);
  return path;
}

export const frameworks: Readonly<Record<string, () => Promise<Framework>>> = {
  react: async () => ({
    render: async (html) => renderReact(createElement(react.Page, { html })),
    script: `
      import { createElement } from 'react';
      import { hydrateRoot } from 'react-dom/client';
      import { Page } from '${folder}/react-page.ts';
      window.hydrate = (root, props) => void hydrateRoot(root, createElement(Page, props));`,
  }),
  vue: async () => ({
    render: (html) => renderVue(createSSRApp(vue.Page, { html })),
    script: `
      import { createSSRApp } from 'vue';
      import { Page } from '${folder}/vue-page.ts';
      window.hydrate = (root, props) => void createSSRApp(Page, props).mount(root);`,
  }),
  svelte: async () => {
    const { default: page } = await import(await compileSvelte('server'));
    return {
      render: async (html) => renderSvelte(page, { props: { html } }).body,
      script: `
        import { hydrate } from 'svelte';
        import Page from '${await compileSvelte('client')}';
        window.hydrate = (target, props) => void hydrate(Page, { target, props });`,
    };
  },
};
