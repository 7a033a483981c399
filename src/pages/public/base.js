/** Base URL of the service: this file is in its `/assets/`, after any path prefix. */
const base = new URL('..', import.meta.url);

/** Returns the URL of a path of the service: `graphql`, `api/login`. */
export const addressOf = (path) => new URL(path, base).href;

/** Returns the WebSocket URL of a path. */
export const socketAddressOf = (path) => addressOf(path).replace(/^http/, 'ws');

/** Sends JSON to a path of the service. */
export const postJson = (path, content) =>
  fetch(addressOf(path), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(content),
  });

export const basePath = base.pathname;
