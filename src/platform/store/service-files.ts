import type { Config } from '../../config/config';
import { parseFilePlace } from '../../config/files';
import type { FilePlace } from '../../config/files';
import { ServiceFiles } from '../files/file-store';
import type { FileStore } from '../files/file-store';
import { FolderFiles } from '../files/folder-files';
import { DatabaseFiles } from './database-files';
import type { Store } from './store';

export const fileStoreAt = (place: FilePlace, store: Store): FileStore =>
  place.kind === 'database' ? new DatabaseFiles(store) : new FolderFiles(place.dir, place.isOwn);

/** The files of a service: in the configured place, in its data directory and in the database. */
export function createServiceFiles(
  { data, files }: Pick<Config, 'data' | 'files'>,
  store: Store,
): ServiceFiles {
  const configured = fileStoreAt(files, store);
  const others = (['folder', 'database'] as const)
    .map((form) => fileStoreAt(parseFilePlace(form, data.dir, data.dir), store))
    .filter(({ place }) => place !== configured.place);
  return new ServiceFiles([configured, ...others]);
}
