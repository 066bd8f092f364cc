/** Returns the base URL of the service: the panel is at `/_sandbox/panel/` below it. */
export const serviceUrl = (): string => new URL('../..', location.href).href.replace(/\/$/, '');
