import { lateMoneyScenarios } from './late-money-scenarios.ts';
import { orderScenarios } from './order-scenarios.ts';
import type { Scenario } from './scenario.ts';
import { serviceScenarios } from './service-scenarios.ts';

/** Every scenario; the command line selects them by name. */
export const scenarios: readonly Scenario[] = [...lateMoneyScenarios, ...serviceScenarios, ...orderScenarios];
