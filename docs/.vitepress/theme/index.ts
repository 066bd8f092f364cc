import type { Theme } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import { LiveScreen } from './live-screen.ts';
import './site.css';

export default {
  extends: DefaultTheme,
  enhanceApp: ({ app }) => {
    app.component('LiveScreen', LiveScreen);
  },
} satisfies Theme;
