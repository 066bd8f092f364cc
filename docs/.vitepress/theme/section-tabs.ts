import { defineComponent, h, nextTick, onMounted, onUnmounted, ref, useTemplateRef } from 'vue';
import { anchorOf } from '../../generate/markdown.ts';

const panelId = (name: string): string => `tab-${anchorOf(name)}`;

/** Where a key moves to, from one of the tabs to another. */
const moves: Readonly<Record<string, (index: number, last: number) => number>> = {
  ArrowRight: (index, last) => (index === last ? 0 : index + 1),
  ArrowLeft: (index, last) => (index === 0 ? last : index - 1),
  Home: () => 0,
  End: (_, last) => last,
};

/** Shows one section of a page at a time. The sections are slots, in the order of their names, each with its heading. */
export const SectionTabs = defineComponent(
  ({ names }: { names: string[] }, { slots }) => {
    const chosen = ref(0);
    const list = useTemplateRef<HTMLElement>('list');
    /** Links to a heading, including search results, show the section that has it. */
    const showTarget = async (): Promise<void> => {
      const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
      const panel = target?.closest('[role="tabpanel"]');
      const index = names.findIndex((name) => panelId(name) === panel?.id);
      if (index === -1) return;
      chosen.value = index;
      await nextTick();
      // After VitePress, which could not know where a hidden heading is.
      requestAnimationFrame(() => target?.scrollIntoView());
    };
    onMounted(() => {
      addEventListener('hashchange', showTarget);
      showTarget();
    });
    onUnmounted(() => removeEventListener('hashchange', showTarget));
    const choose = (index: number): void => {
      chosen.value = index;
      // So that a reload, or a shared address, shows the same section.
      history.replaceState(history.state, '', `#${anchorOf(names[index] ?? '')}`);
    };
    const onKeydown = async (event: KeyboardEvent): Promise<void> => {
      const move = moves[event.key];
      if (!move) return;
      event.preventDefault();
      choose(move(chosen.value, names.length - 1));
      await nextTick();
      list.value?.querySelector<HTMLElement>('[aria-selected="true"]')?.focus();
    };
    const tab = (name: string, index: number) =>
      h(
        'button',
        {
          type: 'button',
          role: 'tab',
          'aria-selected': index === chosen.value,
          'aria-controls': panelId(name),
          tabindex: index === chosen.value ? 0 : -1,
          onClick: () => choose(index),
        },
        name,
      );
    const panel = (name: string, index: number) =>
      h(
        'section',
        { id: panelId(name), role: 'tabpanel', 'aria-label': name, hidden: index !== chosen.value },
        slots[`section-${index}`]?.(),
      );
    return () => [
      h(
        'div',
        { ref: 'list', class: 'choices', role: 'tablist', 'aria-label': 'Sections', onKeydown },
        names.map(tab),
      ),
      ...names.map(panel),
    ];
  },
  { props: ['names'] },
);
