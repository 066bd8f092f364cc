import type { MarkdownOptions } from 'vitepress';

type Markdown = Parameters<NonNullable<MarkdownOptions['config']>>[0];

export function configureMarkdown(markdown: Markdown): void {
  useSectionTabs(markdown);
  useTabs(markdown);
  keepBraces(markdown);
}

/**
 * Shows code between `<!-- tabs -->` and `<!-- /tabs -->` in tabs, each with the name that stands in brackets behind its language. A code
 * host shows one block after the other, each below its path, which the tabs replace.
 */
function useTabs(markdown: Markdown): void {
  markdown.core.ruler.before('block', 'tabs', (state) => {
    state.src = state.src.replace(
      /<!-- tabs -->\n([\s\S]*?)<!-- \/tabs -->/g,
      (_, files: string) => `::: code-group\n${files.replace(/^`[^`\n]+`:\n\n(?=```)/gm, '')}:::`,
    );
  });
}

/** Shows the sections between `<!-- section tabs -->` and `<!-- /section tabs -->` one at a time, each below a tab with its heading. */
function useSectionTabs(markdown: Markdown): void {
  markdown.core.ruler.before('block', 'section-tabs', (state) => {
    state.src = state.src.replace(
      /<!-- section tabs -->\n([\s\S]*?)<!-- \/section tabs -->/g,
      (_, text: string) => {
        const sections = text.split(/^(?=## )/m).filter((section) => section.startsWith('## '));
        const names = sections.map((section) => `'${section.slice('## '.length, section.indexOf('\n'))}'`);
        const slots = sections.map(
          (section, index) => `<template v-slot:section-${index}>\n\n${section}\n</template>`,
        );
        return `<SectionTabs :names="[${names}]">\n${slots.join('\n')}\n</SectionTabs>`;
      },
    );
  });
}

/** Pages become templates of Vue, which would read `{{ orderId }}` in code as its own. */
function keepBraces({ renderer }: Markdown): void {
  const { code_inline: render } = renderer.rules;
  renderer.rules.code_inline = (tokens, index, options, env, self) => {
    tokens[index]?.attrSet('v-pre', '');
    return render?.(tokens, index, options, env, self) ?? '';
  };
}
