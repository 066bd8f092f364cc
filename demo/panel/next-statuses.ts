/** What may follow a status, by one of the sandbox's tables; nothing, for a word that the table does not know. */
export const nextStatusesOf = (
  transitions: Readonly<Record<string, readonly string[]>>,
  status: string,
): readonly string[] => (Object.hasOwn(transitions, status) ? (transitions[status] ?? []) : []);
