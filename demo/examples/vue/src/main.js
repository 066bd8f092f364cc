import { createApp } from 'vue';
import { createRouter, createWebHistory, RouterView } from 'vue-router';
import HomePage from './home-page.vue';
import PayPage from './pay-page.vue';

const router = createRouter({
  history: createWebHistory(),
  routes: [
    { path: '/', component: HomePage },
    { path: '/pay', component: PayPage },
  ],
});

createApp(RouterView).use(router).mount('#app');
