import type { Config } from './config';

/** What a person wants to know when the service is up. */
export interface Started {
  readonly url: string;
  readonly version: string;
  /** The administrator made by this start; the password only when it was generated. */
  readonly firstAdministrator: { readonly email: string; readonly generatedPassword: string | null } | null;
}

/** The text printed once at start: every door, the store, and on the first start how to sign in. */
export function welcome(config: Config, { url, version, firstAdministrator }: Started): string {
  const socket = url.replace(/^http/, 'ws');
  const lines = [
    '',
    `Hypha ${version} is ready.`,
    '',
    `  Start page      ${url}/`,
    `  GraphQL         ${url}/graphql${config.graphql.introspection ? '   (GraphiQL in a browser)' : ''}`,
    `  Subscriptions   ${socket}/graphql and ${socket}/ws   (graphql-transport-ws)`,
    `  REST            ${url}/api`,
    `  API browser     ${url}/docs`,
    `  Health          ${url}/healthz and ${url}/readyz`,
    '',
    config.data.mongodbUri === null
      ? `  Store           embedded, in ${config.data.dir} (one process; set MONGODB_URI to use a MongoDB)`
      : '  Store           MongoDB, as MONGODB_URI says',
  ];
  if (firstAdministrator) {
    const { email, generatedPassword } = firstAdministrator;
    lines.push('', '  First administrator', `    e-mail        ${email}`,
      `    password      ${generatedPassword ?? 'as ADMIN_PASSWORD says'}${generatedPassword === null ? '' : '   (shown only now: change it or keep it safe)'}`);
  }
  return [...lines, ''].join('\n');
}
