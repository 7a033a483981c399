import { z } from 'zod';
import type { Presenters } from '../../platform/http/presenters';
import { refusedRoutes } from '../../platform/http/refused-routes';
import { Reply, routesTagged } from '../../platform/http/route';
import type { Route } from '../../platform/http/route';
import { TEMPLATE_VERSION } from '../templates/template.presenter';
import { assistantPolicy } from './assistant.policy';

const route = routesTagged('Update assistant');

const NO_UPDATE = 'There is no update here: the operator of the service installs updates.';

/** Versions that an assistant shows: only the one in use. */
const Updates = z.array(
  z
    .object({
      name: z.string(),
      status: z.enum(['old', 'current', 'available']),
      changelogLink: z.string(),
      instruction: z.string().meta({ description: 'HTML.' }),
    })
    .meta({ id: 'Update' }),
);

/** The clients insert `instruction` into the page as HTML, and show the text at `changelogLink`. */
const currentVersion = (baseUrl: string): z.output<typeof Updates>[number] => ({
  name: TEMPLATE_VERSION,
  status: 'current',
  changelogLink: `${baseUrl}/api/assistant/changelog/file/${TEMPLATE_VERSION}`,
  instruction: `<p>${NO_UPDATE}</p>`,
});

const versionRoutes = (): Route[] => [
  ...['online', 'offline'].map((kind) =>
    route(`GET /assistant/oc/${kind}/version/all`, {
      needs: assistantPolicy.read,
      summary: `Versions of the kind ${kind}: only the one in use`,
      description: 'For released clients.',
      answer: Updates,
      handle: ({ audience }) => Promise.resolve([currentVersion(audience.baseUrl)]),
    }),
  ),
  route('GET /assistant/changelog/file/:name', {
    needs: assistantPolicy.read,
    params: z.object({ name: z.string() }),
    summary: 'The changes of a version: says that there is no update',
    description: 'For the 4.x client.',
    produces: 'text/plain',
    answer: z.string(),
    handle: () =>
      Promise.resolve(new Reply(`${NO_UPDATE}\n`, { 'Content-Type': 'text/plain; charset=utf-8' })),
  }),
];

/** What clients offer to do with an update. All of it is refused. */
const INSTALLATIONS = [
  ['GET /assistant/oc/online/version/:name/download', 'Downloads an update'],
  ['POST /assistant/oc/update', 'Installs an update'],
  ['POST /assistant/oc/migrate', 'Installs an update'],
  ['POST /assistant/zipfile', 'Uploads an update'],
  ['DELETE /assistant/zipfile/:name', 'Deletes an uploaded update'],
] as const;

/** The update assistant of the released clients. */
export const assistantRoutes = ({ exists }: Pick<Presenters, 'exists'>): Route[] => [
  route('GET /assistant/oc/version', {
    needs: assistantPolicy.read,
    probe: true,
    summary: 'The released version whose workflows and templates the service writes',
    description:
      'The 4.x client requests it every five seconds to see whether its session is still valid; this does not keep the session from going idle. It offers to convert templates of other versions. The version of the service is in `/actuator/health`.',
    answer: z.object({ version: z.string() }).meta({ id: 'AssistantVersion' }),
    handle: () => Promise.resolve({ version: TEMPLATE_VERSION }),
  }),
  route('GET /assistant/oc/installation', {
    needs: assistantPolicy.read,
    summary: 'The kind of installation: always `sources`',
    description: 'For released clients, whose pages open only for this kind.',
    answer: z.object({ type: z.literal('sources') }).meta({ id: 'AssistantInstallation' }),
    handle: () => Promise.resolve({ type: 'sources' }),
  }),
  route('GET /assistant/oc/restart/file/exists', {
    needs: assistantPolicy.read,
    summary: 'Whether the update assistant can go on: always',
    description:
      'For the 4.x client, which asks whether a script can restart the service, and shows its versions only then. Nothing is installed or restarted.',
    answer: exists.result.answer,
    handle: () => Promise.resolve(exists.result(true)),
  }),
  ...versionRoutes(),
  ...refusedRoutes(route, INSTALLATIONS, {
    needs: assistantPolicy.update,
    description: 'For released clients. The operator of the service installs updates.',
    code: 'UPDATE_NOT_SUPPORTED',
    message: NO_UPDATE,
  }),
];
