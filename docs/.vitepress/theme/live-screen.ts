import { useData, withBase } from 'vitepress';
import { computed, defineComponent, h, onMounted, onUnmounted, ref, watch } from 'vue';

const listOf = (text: string, separator: string): string[] => text.split(separator).map((one) => one.trim());

/** `Gold: accent=gold` is named "Gold", and `awaitingTransfer-lastMinute` "Awaiting transfer, last minute". */
const labelOf = (name: string): string => {
  const [label = ''] = name.split(': ');
  const words = label
    .replace(/-/g, ', ')
    .replace(/[A-Z]/g, (letter, at) => (at ? ` ${letter.toLowerCase()}` : letter));
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/**
 * Shows screens of the real widget, rendered by the demo's gallery: `<LiveScreen states="expired checking" />`. `looks` offers
 * named queries of the gallery, separated by semicolons: `Usual; Gold: accent=gold&radius=0`.
 */
export const LiveScreen = defineComponent(
  ({ states, looks = '' }: { states: string; looks?: string }) => {
    const { isDark } = useData();
    const [stateNames, lookNames] = [listOf(states, ' '), listOf(looks, ';')];
    const state = ref(stateNames[0] ?? '');
    const look = ref(lookNames[0] ?? '');
    const height = ref(420);
    const frame = ref<HTMLIFrameElement>();
    // A server does not know the reader's theme.
    const isMounted = ref(false);
    const address = computed(() => {
      const theme = isDark.value ? 'dark' : 'light';
      const [, chosen = ''] = look.value.split(': ');
      const query = { state: state.value, theme, ...Object.fromEntries(new URLSearchParams(chosen)) };
      return withBase(`/../gallery.html?${new URLSearchParams(query)}`);
    });
    // Until its script runs, the gallery shows the demo's header.
    const isLoaded = ref(false);
    watch(address, () => {
      isLoaded.value = false;
    });
    let resizes: ResizeObserver | undefined;
    const followHeight = (): void => {
      isLoaded.value = true;
      const body = frame.value?.contentDocument?.body;
      resizes?.disconnect();
      if (body) resizes?.observe(body);
    };
    onMounted(() => {
      resizes = new ResizeObserver(([entry]) => {
        if (entry) height.value = Math.ceil(entry.target.getBoundingClientRect().height);
      });
      isMounted.value = true;
    });
    onUnmounted(() => resizes?.disconnect());
    const choices = (names: readonly string[], chosen: typeof state) =>
      names.length > 1 &&
      h(
        'div',
        { class: 'choices' },
        names.map((name) => {
          const onClick = (): void => {
            chosen.value = name;
          };
          return h(
            'button',
            { type: 'button', 'aria-pressed': name === chosen.value, onClick },
            labelOf(name),
          );
        }),
      );
    return () =>
      h('figure', { class: 'live-screen' }, [
        choices(stateNames, state),
        choices(lookNames, look),
        isMounted.value &&
          h('iframe', {
            ref: frame,
            src: address.value,
            title: `The widget in the state ${state.value}`,
            loading: 'lazy',
            style: { height: `${height.value}px`, visibility: isLoaded.value ? 'visible' : 'hidden' },
            onLoad: followHeight,
          }),
      ]);
  },
  { props: ['states', 'looks'] },
);
