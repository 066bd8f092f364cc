/** The key under which a client is limited; kept in memory only. All requests without a key are one client. */
export type Client = string | undefined;
