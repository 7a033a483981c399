import type { FirstAdministrator } from './feature';
import type { Config } from './config/config';

export interface Started {
  readonly url: string;
  /** Of the additional port; null: there is none. */
  readonly additionalUrl: string | null;
  readonly version: string;
}

/** Returns the text printed at start: the addresses of all APIs, and the store. */
export function welcome(config: Config, { url, additionalUrl, version }: Started): string {
  const socket = url.replace(/^http/, 'ws');
  return [
    '',
    `Hypha ${version} is ready. Open ${url}/dashboard`,
    '',
    `  Dashboard       ${url}/dashboard   (make and watch workflows)`,
    config.frontend.directory === null
      ? `  Start page      ${url}/`
      : `  Web client      ${url}/   (from ${config.frontend.directory})`,
    `  GraphQL         ${url}/graphql${config.graphql.introspection ? '   (GraphiQL in a browser)' : ''}`,
    `  Subscriptions   ${socket}/graphql and ${socket}/ws   (graphql-transport-ws)`,
    `  REST            ${url}/api`,
    ...(additionalUrl === null ? [] : [`  Released REST   ${additionalUrl}/api`]),
    ...(config.docs.enabled ? [`  API browser     ${url}/docs`] : []),
    `  Health          ${url}/healthz and ${url}/readyz`,
    '',
    config.data.mongodbUri === null
      ? `  Store           embedded, in ${config.data.dir}   (${config.data.shareStore ? 'shared with other processes' : 'for one process; set MONGODB_URI to use MongoDB'})`
      : '  Store           MongoDB at MONGODB_URI',
    '',
  ].join('\n');
}

export function administratorNotice({
  email,
  generatedPassword,
  isRenewed,
}: FirstAdministrator): string {
  return [
    '',
    `  First administrator${isRenewed ? ' (new password: the previous one was never shown)' : ''}`,
    `    e-mail        ${email}`,
    `    password      ${generatedPassword === null ? 'the value of ADMIN_PASSWORD' : `${generatedPassword}   (shown only once: store it or change it)`}`,
  ].join('\n');
}
