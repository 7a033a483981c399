import { addressOf } from './base.js';
import { session } from './session.js';
import { mountSignIn } from './sign-in.js';

const { SwaggerUIBundle } = globalThis;
const SCHEME = 'bearerAuth';
const dark = matchMedia('(prefers-color-scheme: dark)');
const applyTheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', applyTheme);
applyTheme();

/** The description as it is served, but for where to send requests: to where this page came from, whichever way that was. */
async function readDescription() {
  const response = await fetch(addressOf('openapi.json'));
  return { ...(await response.json()), servers: [{ url: addressOf('.').replace(/\/$/, '') }] };
}

/** Tells the browser of operations who is signed in. It cannot forget whom it does not know. */
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
  // No service outside is asked whether the description is valid.
  validatorUrl: null,
  presets: [SwaggerUIBundle.presets.apis],
  onComplete: () => session.watch((state) => signIn(ui, state)),
  responseInterceptor: (response) => {
    // A token that is no longer taken is ACCESS_DENIED, under whatever status the dialect has for it.
    if (response.status >= 400) void session.check();
    return response;
  },
});
