import { join } from 'node:path';
import { z } from 'zod';
import { sealedOf } from '../../feature';
import type { Feature } from '../../feature';
import { controlCommand } from '../../platform/control/command';
import { STORE_LAYOUT } from '../../store-layout';
import { ExportService } from './export.service';
import { ImportService } from './import.service';

export const movingFeature: Feature = {
  services: {
    exporting: ({ core, config, services, features, vault }) =>
      new ExportService({
        core,
        audit: services.audit,
        vault,
        sealed: sealedOf(features, services),
        uploadsDir: join(config.data.dir, 'uploads'),
      }),
    importing: ({ core, config, services, features, vault }) =>
      new ImportService({
        core,
        audit: services.audit,
        vault,
        sealed: sealedOf(features, services),
        local: {
          uploadsDir: join(config.data.dir, 'uploads'),
          masterPassword: config.connector.masterPassword,
        },
        layout: STORE_LAYOUT,
      }),
  },
  commands: ({ exporting }) => [
    controlCommand(
      'export',
      z.object({ file: z.string(), passphrase: z.string().nullable() }),
      (actor, request, report) => exporting.export(actor, request, report),
      ({ file }) => file,
    ),
  ],
};
