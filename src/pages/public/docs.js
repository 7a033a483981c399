import { addressOf } from './base.js';
import { session } from './session.js';
import { mountSignIn } from './sign-in.js';

const { SwaggerUIBundle } = globalThis;
const SCHEME = 'bearerAuth';
const dark = matchMedia('(prefers-color-scheme: dark)');
const applyTheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', applyTheme);
applyTheme();

/** Returns the served OpenAPI document, with this page's base URL as the server. */
async function readDescription() {
  const response = await fetch(addressOf('openapi.json'));
  return { ...(await response.json()), servers: [{ url: addressOf('.').replace(/\/$/, '') }] };
}

/** Passes the session to the API browser. `logout` works only for a known scheme. */
function signIn(ui, { authorization }) {
  if (authorization) ui.preauthorizeApiKey(SCHEME, authorization.replace(/^Bearer /, ''));
  else if (ui.authSelectors.authorized().size > 0) ui.authActions.logout([SCHEME]);
}

mountSignIn();
const ui = SwaggerUIBundle({
  spec: await readDescription(),
  dom_id: '#docs',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  filter: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  // Disables the external validator.
  validatorUrl: null,
  presets: [SwaggerUIBundle.presets.apis],
  onComplete: () => session.watch((state) => signIn(ui, state)),
  responseInterceptor: (response) => {
    // Any error may mean that the token is no longer accepted: the status of ACCESS_DENIED depends
    // on the dialect.
    if (response.status >= 400) void session.check();
    return response;
  },
});
