import { StartupError } from '../../startup-error.ts'
import type { ClusterLocation } from './location.ts'
import { lockFilePath } from './lock-file.ts'

/** Another running server uses the data folder. */
export function inUseError({ dataDir }: ClusterLocation): StartupError {
  return new StartupError(
    `Another Bancone server is already using ${dataDir}. ` +
      'Stop it, or set DATA_DIR to another folder.',
  )
}

/** An operator must decide. `why` completes "the file …". */
export function unsureError({ cluster }: ClusterLocation, why: string): StartupError {
  const file = lockFilePath(cluster)
  return new StartupError(
    `Cannot tell whether PostgreSQL already runs on ${cluster}: the file ${file} ${why}. ` +
      'If no PostgreSQL uses this folder, also not from another machine or container, ' +
      'delete that file and start again.',
  )
}
