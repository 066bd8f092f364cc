import { defineConfig, loadEnv } from '@medusajs/framework/utils';

loadEnv(process.env.NODE_ENV ?? 'development', process.cwd());

const env = process.env as Record<string, string>;

module.exports = defineConfig({
  admin: { disable: true },
  projectConfig: {
    databaseUrl: env.DATABASE_URL,
    http: {
      storeCors: env.STORE_CORS,
      adminCors: env.ADMIN_CORS,
      authCors: env.AUTH_CORS,
      jwtSecret: env.JWT_SECRET,
      cookieSecret: env.COOKIE_SECRET,
    },
  },
  modules: [
    {
      resolve: '@medusajs/medusa/payment',
      options: {
        providers: [
          {
            resolve: './src/modules/transfer',
            id: 'bank',
            options: {
              baseUrl: env.PAYMENTS_BASE_URL,
              apiKey: env.PAYMENTS_API_KEY,
              apiSecret: env.PAYMENTS_API_SECRET,
              // Medusa's own route for callbacks; the end is the provider's identifier and this id.
              callbackUrl: `${env.BACKEND_URL}/hooks/payment/transfer_bank`,
            },
          },
          // The second way. A shop needs only one of them.
          { resolve: './src/modules/checkout', id: 'bank' },
        ],
      },
    },
  ],
});
