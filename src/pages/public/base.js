/** Where the service is for this browser: this file lies in its `/assets/`, whatever path stands before that. */
const base = new URL('..', import.meta.url);

/** The address of a path of the service: `graphql`, `api/login`. */
export const addressOf = (path) => new URL(path, base).href;

/** The same for a socket. */
export const socketAddressOf = (path) => addressOf(path).replace(/^http/, 'ws');

export const basePath = base.pathname;
