/** Returns a host as it stands in a URL: IPv6 addresses in brackets. */
export const hostInUrl = (host: string): string => (host.includes(':') ? `[${host}]` : host);
