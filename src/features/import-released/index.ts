import { sealedOf } from '../../feature';
import type { Feature } from '../../feature';
import { ReleasedImportService } from './released-import.service';

export const importReleasedFeature: Feature = {
  services: {
    releasedImport: ({ core, config, services, features, vault, uploads }) =>
      new ReleasedImportService({
        core,
        vault,
        sealed: sealedOf(features, services),
        uploads,
        services,
        config,
      }),
  },
};
