/** Identifies a client; kept in memory only. `undefined` if its address is not known. */
export type Client = string | undefined;

/**
 * Creates places, of which all clients together take at most `inAll`, and one client at most `perClient`. A client that is not known counts
 * in all only.
 */
export function createPlaces({ inAll, perClient }: { inAll: number; perClient: number }) {
  const taken = new Map<Client, number>();
  let count = 0;
  return {
    /** Takes a place; returns what frees it again, or `undefined` if there is none. */
    take(client: Client): (() => void) | undefined {
      const own = taken.get(client) ?? 0;
      if (count >= inAll || (client !== undefined && own >= perClient)) return undefined;
      taken.set(client, own + 1);
      count++;
      return () => {
        const left = (taken.get(client) ?? 1) - 1;
        if (left === 0) taken.delete(client);
        else taken.set(client, left);
        count--;
      };
    },
    count: () => count,
  };
}
