import { useData, withBase } from 'vitepress';
import { computed, defineComponent, h, onMounted, onUnmounted, ref } from 'vue';

/**
 * Shows screens of the real widget, rendered by the demo's gallery: `<LiveScreen states="expired checking" />`. Other
 * attributes are passed to the gallery: `accent="#b4532a"`.
 */
export const LiveScreen = defineComponent(
  ({ states }: { states: string }, { attrs }) => {
    const { isDark } = useData();
    const names = states.split(' ');
    const shown = ref(names[0]);
    const height = ref(420);
    const frame = ref<HTMLIFrameElement>();
    // A server does not know the reader's theme.
    const isMounted = ref(false);
    const address = computed(() => {
      const look = { state: shown.value, theme: isDark.value ? 'dark' : 'light', ...attrs };
      return withBase(`/../gallery.html?${new URLSearchParams(look as Record<string, string>)}`);
    });
    const resizes =
      typeof ResizeObserver === 'undefined'
        ? undefined
        : new ResizeObserver(([entry]) => {
            height.value = Math.ceil(entry?.target.getBoundingClientRect().height ?? height.value);
          });
    const watchHeight = (): void => {
      const body = frame.value?.contentDocument?.body;
      resizes?.disconnect();
      if (body) resizes?.observe(body);
    };
    onMounted(() => {
      isMounted.value = true;
    });
    onUnmounted(() => resizes?.disconnect());
    const choose = (name: string) =>
      h(
        'button',
        {
          type: 'button',
          'aria-pressed': name === shown.value,
          onClick: () => {
            shown.value = name;
          },
        },
        name,
      );
    return () =>
      h('figure', { class: 'live-screen' }, [
        names.length > 1 && h('div', { class: 'choices' }, names.map(choose)),
        isMounted.value &&
          h('iframe', {
            ref: frame,
            src: address.value,
            title: `The widget in the state ${shown.value}`,
            loading: 'lazy',
            style: { height: `${height.value}px` },
            onLoad: watchHeight,
          }),
      ]);
  },
  { props: ['states'], inheritAttrs: false },
);
