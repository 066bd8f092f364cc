import { type Component, h, onMounted, ref } from 'vue';

/** A page with an empty element, and one that `renderCheckout` has rendered. */
export const Page: Component<{ readonly html: string }> = {
  props: ['html'],
  setup({ html }: { readonly html: string }) {
    const place = ref('on the server');
    onMounted(() => {
      place.value = 'in the browser';
    });
    return () =>
      h('main', [
        h('transfer-checkout', { 'base-url': '/checkout' }),
        h('div', { innerHTML: html }),
        h('p', `Rendered ${place.value}`),
      ]);
  },
};
