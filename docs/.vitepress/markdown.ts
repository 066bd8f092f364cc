import type { MarkdownOptions } from 'vitepress';
import { anchorOf } from '../generate/markdown.ts';

type Markdown = Parameters<NonNullable<MarkdownOptions['config']>>[0];
type Token = ReturnType<Markdown['parse']>[number];

export function configureMarkdown(markdown: Markdown): void {
  useSectionTabs(markdown);
  useTabs(markdown);
  keepBraces(markdown);
  labelTables(markdown);
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

const roles: Readonly<Record<string, string>> = {
  table_open: 'table',
  thead_open: 'rowgroup',
  tbody_open: 'rowgroup',
  tr_open: 'row',
  th_open: 'columnheader',
  td_open: 'cell',
};

/**
 * Gives each row an anchor, and each cell the name of its column, for narrow screens, where the style sheet stacks the cells. Boxes that
 * are no table cells would lose their roles.
 */
function labelTables(markdown: Markdown): void {
  markdown.core.ruler.push('label-tables', ({ tokens, Token }) => {
    const taken = new Set(tokens.map((token) => token.attrGet('id')));
    let [heads, column] = [[] as string[], 0];
    let row: Token | undefined;
    for (const [index, token] of tokens.entries()) {
      const cell = tokens[index + 1];
      const role = roles[token.type];
      if (role !== undefined) token.attrSet('role', role);
      if (token.type === 'thead_open') heads = [];
      if (token.type === 'th_open') heads.push(cell?.content.replaceAll('`', '') ?? '');
      if (token.type === 'tr_open') [row, column] = [token, 0];
      if (token.type !== 'td_open' || !cell || !row) continue;
      if (column === 0) addAnchor(row, cell, taken, new Token('html_inline', '', 0));
      else if (heads[column]) token.attrSet('data-head', heads[column] ?? '');
      column += 1;
    }
  });
}

/** The name in the first cell is the anchor, as it is written: `#baseUrl`. */
function addAnchor(row: Token, cell: Token, taken: Set<string | null>, link: Token): void {
  const text = (cell.children ?? []).map(({ content }) => content).join('');
  const name = /^[\w.-]+$/.test(text) ? text : anchorOf(text).slice(0, 60);
  if (name === '') return;
  let id = name;
  for (let count = 2; taken.has(id); count += 1) id = `${name}-${count}`;
  taken.add(id);
  row.attrSet('id', id);
  link.content = `<a class="row-anchor" href="#${id}" aria-label="Link to ${id}"></a>`;
  cell.children?.push(link);
}
