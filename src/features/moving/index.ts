import { z } from 'zod';
import { sealedOf } from '../../feature';
import type { Feature } from '../../feature';
import { controlCommand } from '../../platform/control/command';
import { STORE_LAYOUT } from '../../store-layout';
import { ExportService } from './export.service';
import { FileMoveService } from './file-move.service';
import { ImportService } from './import.service';

export const movingFeature: Feature = {
  services: {
    exporting: ({ core, services, features, vault, files }) =>
      new ExportService({
        core,
        audit: services.audit,
        vault,
        sealed: sealedOf(features, services),
        files,
      }),
    fileMoving: ({ core, config, services: { audit }, files }) =>
      new FileMoveService({ core, audit, files, dataDir: config.data.dir }),
    importing: ({ core, config, services, features, vault, files }) =>
      new ImportService({
        core,
        audit: services.audit,
        vault,
        sealed: sealedOf(features, services),
        local: { files, masterPassword: config.connector.masterPassword },
        layout: STORE_LAYOUT,
      }),
  },
  commands: ({ exporting, fileMoving }) => [
    controlCommand(
      'export',
      z.object({ file: z.string(), passphrase: z.string().nullable() }),
      (actor, request, report) => exporting.export(actor, request, report),
      ({ file }) => file,
    ),
    controlCommand(
      'files move',
      z.object({ to: z.string(), from: z.string().nullable() }),
      (actor, request, report) => fileMoving.move(actor, request, report),
      ({ to }) => to,
    ),
  ],
};
