export default defineNuxtConfig({
  compatibilityDate: '2025-10-01',
  app: {
    head: { title: "Kola's Bookshop", htmlAttrs: { lang: 'en' }, link: [{ rel: 'icon', href: 'data:,' }] },
  },
  // Vue must know that it is an element and no component.
  vue: { compilerOptions: { isCustomElement: (tag) => tag === 'transfer-checkout' } },
});
