import { createAuditService } from './audit.service';
import type { Feature } from '../../feature';
import { AuditResolver } from './audit.graphql';

export const auditFeature: Feature = {
  services: {
    audit: ({ core: { store, bus, clock, log }, config }) =>
      createAuditService({
        store,
        bus,
        clock,
        retentionDays: config.audit.retentionDays,
        onRemoved: (changes) =>
          log.info({ changes }, 'Deleted audit events whose retention period has ended.'),
        onFault: (error) =>
          log.error(
            { err: error },
            'Could not delete audit events whose retention period has ended.',
          ),
      }),
  },
  start: ({ services }) => services.audit.sweeping.start(),
  stop: ({ services }) => services.audit.sweeping.stop(),
  resolvers: [AuditResolver],
};
