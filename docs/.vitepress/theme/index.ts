import type { Theme } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import { LiveScreen } from './live-screen.ts';
import { SectionTabs } from './section-tabs.ts';
import './site.css';

export default {
  extends: DefaultTheme,
  enhanceApp: ({ app }) => {
    app.component('LiveScreen', LiveScreen);
    app.component('SectionTabs', SectionTabs);
  },
} satisfies Theme;
