import type { FirstAdministrator } from '../features/users/seed.service';
import type { Config } from './config';

export interface Started {
  readonly url: string;
  readonly version: string;
}

/** Returns the text printed at start: all APIs and the store. */
export function welcome(config: Config, { url, version }: Started): string {
  const socket = url.replace(/^http/, 'ws');
  const lines = [
    '',
    `Hypha ${version} is ready.`,
    '',
    `  Start page      ${url}/`,
    `  Dashboard       ${url}/dashboard`,
    `  GraphQL         ${url}/graphql${config.graphql.introspection ? '   (GraphiQL in a browser)' : ''}`,
    `  Subscriptions   ${socket}/graphql and ${socket}/ws   (graphql-transport-ws)`,
    `  REST            ${url}/api`,
    ...(config.docs.enabled ? [`  API browser     ${url}/docs`] : []),
    `  Health          ${url}/healthz and ${url}/readyz`,
    '',
    config.data.mongodbUri === null
      ? `  Store           embedded, in ${config.data.dir} (one process; set MONGODB_URI to use a MongoDB)`
      : '  Store           MongoDB, as MONGODB_URI says',
  ];
  return [...lines, ''].join('\n');
}

export function administratorNotice({
  email,
  generatedPassword,
  isRenewed,
}: FirstAdministrator): string {
  return [
    '',
    `  First administrator${isRenewed ? ', who never signed in and was told no password: this is a new one' : ''}`,
    `    e-mail        ${email}`,
    `    password      ${generatedPassword ?? 'as ADMIN_PASSWORD says'}${generatedPassword === null ? '' : '   (shown only now: change it or keep it safe)'}`,
  ].join('\n');
}
