import type { Services } from '../../platform/context';
import type { Presenters } from '../../platform/http/presenters';
import { recordReply } from '../../platform/http/record-version';
import { Accepted } from '../../platform/http/respond-async';
import { Reply, routesTagged } from '../../platform/http/route';
import type { Route } from '../../platform/http/route';
import { IMPORT_NEED, invokerPolicy } from './invoker.policy';
import { NewInvokerInput } from './invoker.schema';

const route = routesTagged('Invokers');
/** The smallest valid invoker. */
const EXAMPLE_XML =
  '<invoker><name>Example</name><operations><operation name="Read" type="test"><request><method>GET</method><endpoint>{url}</endpoint></request></operation></operations></invoker>';
const FILE_ERRORS = ['INVOKER_INVALID', 'INVOKER_ALREADY_EXISTS', 'INPUT_TOO_COMPLEX'] as const;

const urlOf = (name: string, baseUrl: string): string =>
  `${baseUrl}/api/invoker/${encodeURIComponent(name)}`;

const invokerImportRouteContext = (
  { invokers, invokerCatalog, invokerFolder, invokerImport }: Services,
  { invokers: shown }: Presenters,
) => {
  const upload = {
    needs: IMPORT_NEED,
    upload: { part: 'file' },
    success: 201,
  } as const;
  const description =
    'Creating requires INVOKER:CREATE, replacing an invoker of the same name INVOKER:UPDATE. An invalid file is rejected with the lines of its errors, and nothing is changed. `warnings` lists assumptions made while parsing.';
  // Reads the installation's folder again.
  const refresh = {
    needs: invokerPolicy.update,
    changesOnGet: true,
    description:
      'Reads files that are new or were changed since they were last read. A file that cannot be read is logged and changes nothing.',
  } as const;
  return {
    shown,
    invokerImport,
    invokerCatalog,
    invokers,
    upload,
    description,
    refresh,
    invokerFolder,
  };
};
type InvokerImportRouteContext = ReturnType<typeof invokerImportRouteContext>;

const postInvoker = ({
  shown,
  invokerImport,
  invokerCatalog,
  invokers,
}: InvokerImportRouteContext): Route =>
  route('POST /invoker', {
    needs: invokerPolicy.create,
    summary: 'Creates an invoker',
    body: NewInvokerInput,
    example: { body: { xml: EXAMPLE_XML } },
    bodyLimit: 'workflow',
    success: 201,
    answer: shown.one.answer,
    errors: FILE_ERRORS,
    record: 'shown',
    handle: async ({ actor, body, origin, audience }) => {
      const file = { fileName: null, xml: body.xml, path: ['xml'] };
      const { record } = await invokerImport.importFile(actor, file, 'refuse');
      const invoker = await invokerCatalog.get(record.name);
      return recordReply(
        shown.one(invokers.shown(actor, invoker), audience),
        invoker,
        urlOf(record.name, origin.baseUrl),
      );
    },
  });

const postStorageInvoker = ({
  upload,
  description,
  shown,
  invokerImport,
}: InvokerImportRouteContext): Route =>
  route('POST /storage/invoker', {
    ...upload,
    summary: 'Creates or replaces an invoker from an XML file',
    description,
    answer: shown.imported.answer,
    errors: FILE_ERRORS,
    record: 'shown',
    handle: async ({ actor, file, origin }) => {
      const sent = {
        fileName: file?.fileName ?? null,
        xml: file?.bytes ?? Buffer.alloc(0),
        path: ['file'],
      };
      const imported = await (shown.areUploadsEdits
        ? invokerImport.importEdited(actor, sent)
        : invokerImport.importFile(actor, sent, 'replace'));
      const { record } = imported;
      return recordReply(shown.imported(imported), record, urlOf(record.name, origin.baseUrl));
    },
  });

const postStorageInvokerZip = ({
  upload,
  description,
  shown,
  invokerImport,
}: InvokerImportRouteContext): Route =>
  route('POST /storage/invoker/zip', {
    ...upload,
    summary: 'Creates or replaces the invokers of a zip archive, all or none',
    description: `${description} Files that are not XML are listed in the warnings of the first invoker.`,
    answer: shown.importedAll.answer,
    mayRespondAsync: true,
    errors: ['ZIP_FILE_REQUIRED', 'ZIP_INVALID', ...FILE_ERRORS],
    handle: async ({ actor, file, origin, respondAsync }) => {
      const archive = file?.bytes ?? Buffer.alloc(0);
      if (respondAsync) {
        const job = await invokerImport.startArchive(actor, archive, shown.importedAll);
        return new Accepted(job._id, origin.baseUrl);
      }
      return new Reply(shown.importedAll(await invokerImport.importArchive(actor, archive)), {
        Location: `${origin.baseUrl}/api/invoker/all`,
      });
    },
  });

const getInvokerRefresh = ({ refresh, invokerFolder }: InvokerImportRouteContext): Route =>
  route('GET /invoker/refresh', {
    ...refresh,
    summary: 'Reads the folder of invokers again',
    handle: async ({ actor }) => void (await invokerFolder.refresh(actor)),
  });

const getInvokerSynchronisation = ({
  refresh,
  shown,
  invokerFolder,
  invokers,
}: InvokerImportRouteContext): Route =>
  route('GET /invoker/synchronisation', {
    ...refresh,
    summary: 'Reads the folder of invokers again, and returns every invoker',
    answer: shown.list.answer,
    handle: async ({ actor }) => {
      await invokerFolder.refresh(actor);
      return shown.list(invokers.allShown(actor));
    },
  });

/** Routes that create or replace invokers from XML. */
export const invokerImportRoutes = (services: Services, presenters: Presenters): Route[] => {
  const context = invokerImportRouteContext(services, presenters);
  return [
    postInvoker,
    postStorageInvoker,
    postStorageInvokerZip,
    getInvokerRefresh,
    getInvokerSynchronisation,
  ].map((create) => create(context));
};
