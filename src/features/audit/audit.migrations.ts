import { dropIndexes } from '../../platform/store/drop-indexes';

/** Of the list by id alone. */
export const auditIndexesById = dropIndexes('audit_events', ['target.type_1_target.id_1__id_-1', 'actor.userId_1__id_-1']);
