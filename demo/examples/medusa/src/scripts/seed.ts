import type { ExecArgs } from '@medusajs/framework/types';
import { ContainerRegistrationKeys, ProductStatus } from '@medusajs/framework/utils';
import {
  createApiKeysWorkflow,
  createProductsWorkflow,
  createRegionsWorkflow,
  createSalesChannelsWorkflow,
  linkSalesChannelsToApiKeyWorkflow,
} from '@medusajs/medusa/core-flows';

/** A shop with one product, which is paid by transfer in Nigeria. Prints the key of the storefront. */
export default async function seed({ container }: ExecArgs): Promise<void> {
  const logger = container.resolve(ContainerRegistrationKeys.LOGGER);
  const { result: channels } = await createSalesChannelsWorkflow(container).run({
    input: { salesChannelsData: [{ name: 'Storefront' }] },
  });
  const { result: keys } = await createApiKeysWorkflow(container).run({
    input: { api_keys: [{ title: 'Storefront', type: 'publishable', created_by: '' }] },
  });
  await linkSalesChannelsToApiKeyWorkflow(container).run({
    input: { id: keys[0].id, add: channels.map(({ id }) => id) },
  });
  const { result: regions } = await createRegionsWorkflow(container).run({
    input: {
      regions: [
        {
          name: 'Nigeria',
          currency_code: 'ngn',
          countries: ['ng'],
          payment_providers: ['pp_transfer_bank', 'pp_checkout_bank'],
        },
      ],
    },
  });
  // Without a shipping profile, because nothing is shipped.
  const { result: products } = await createProductsWorkflow(container).run({
    input: {
      products: [
        {
          title: 'Concert ticket',
          status: ProductStatus.PUBLISHED,
          options: [{ title: 'Seat', values: ['Balcony'] }],
          sales_channels: channels.map(({ id }) => ({ id })),
          variants: [
            {
              title: 'Balcony',
              options: { Seat: 'Balcony' },
              manage_inventory: false,
              prices: [{ currency_code: 'ngn', amount: 12500 }],
            },
          ],
        },
      ],
    },
  });
  const shop = { key: keys[0].token, region: regions[0].id, variant: products[0].variants[0].id };
  logger.info(`SHOP ${JSON.stringify(shop)}`);
}
