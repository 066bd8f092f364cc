/** What each amount policy of the sandbox means to a person. */
export const policyLabels: Readonly<Record<string, string>> = {
  ACCEPTED_AMOUNT_POLICY_FIXED: 'Fixed: exactly this amount',
  ACCEPTED_AMOUNT_POLICY_ALLOW_PARTIAL: 'Allow partial: less, in parts',
  ACCEPTED_AMOUNT_POLICY_ALLOW_EXCESS: 'Allow excess: this or more',
  ACCEPTED_AMOUNT_POLICY_ALLOW_ANY: 'Allow any amount',
};
