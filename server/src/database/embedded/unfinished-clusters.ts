import { randomBytes } from 'node:crypto'
import { readdir, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { ClusterLocation } from './location.ts'
import { processState } from './process-facts.ts'

/** So long no creation takes: its process may have ended although its pid is in use. */
const ABANDONED_MS = 60 * 60_000

/** A new name under which this process creates a cluster. */
export function unfinishedCluster(cluster: string): string {
  return `${cluster}.new-${process.pid}-${randomBytes(6).toString('hex')}`
}

/** Removes the clusters, and their password files, that processes were creating when they were killed. */
export async function removeUnfinishedClusters({ cluster }: ClusterLocation): Promise<void> {
  const folder = dirname(cluster)
  // Outside the data folder each creation has a random name after the one of the data folder.
  const prefix = basename(cluster).replace(/-[0-9a-f]{8}$/, '')
  for (const name of await readdir(folder).catch(() => [])) {
    const pid = /\.new-(?:(\d+)-)?[0-9a-f]{12}(?:\.password)?$/.exec(name)
    if (!pid || !name.startsWith(prefix)) continue
    const path = join(folder, name)
    // An initdb that outlives its server may still write to it; what remains is removed by a later start.
    const options = { recursive: true, force: true, maxRetries: 5 }
    if (await isAbandoned(path, Number(pid[1]))) await rm(path, options).catch(() => {})
  }
}

/** @param pid that of the creating process; NaN in names that earlier versions gave */
async function isAbandoned(path: string, pid: number): Promise<boolean> {
  // This process has not begun: it has the pid of one that ended, which is the rule in containers.
  if (pid === process.pid || (pid > 0 && (await processState(pid)) !== 'alive')) return true
  const found = await stat(path).catch(() => undefined)
  return found !== undefined && Date.now() - found.mtimeMs > ABANDONED_MS
}
