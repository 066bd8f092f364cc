/**
 * Resolves when the shop's routes can be called: at once where a server has them.
 *
 * @throws {Error} if they never can be in this browser; the message is for people
 */
export async function serverReady(): Promise<void> {}
