import { mountSignIn } from './sign-in.js';

const { SwaggerUIBundle } = globalThis;
const dark = matchMedia('(prefers-color-scheme: dark)');
const applyTheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', applyTheme);
applyTheme();

const ui = SwaggerUIBundle({
  url: '/openapi.json',
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
  onComplete: callThisOrigin,
});

/** The first address is the public one; a page that came from another may not call it. */
function callThisOrigin() {
  const servers = ui.specSelectors.specJson().toJS().servers ?? [];
  const here = servers.find(({ url }) => new URL(url, location.href).origin === location.origin);
  if (here) ui.oas3Actions.setSelectedServer(here.url);
}

mountSignIn((authorization) => {
  if (authorization) ui.preauthorizeApiKey('bearerAuth', authorization.replace(/^Bearer /, ''));
  else ui.authActions.logout(['bearerAuth']);
});
