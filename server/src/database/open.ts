import type { Config } from '../config.ts'
import { type EmbeddedOptions, joinEmbedded, startEmbedded } from './embedded.ts'
import { checkReachable } from './reachable.ts'

export type OpenDatabase = { url: string; close(): Promise<void> }

/**
 * The database of the configuration: the one it names, or the embedded one of its data folder.
 *
 * @param options.join use the embedded one of a server that runs, if there is one
 * @throws StartupError when it cannot be had
 */
export async function openDatabase(
  config: Config,
  log: EmbeddedOptions['log'],
  onLost: (error: Error) => void,
  options: { join?: boolean } = {},
): Promise<OpenDatabase> {
  if (config.databaseUrl) {
    await checkReachable(config.databaseUrl)
    return { url: config.databaseUrl, close: async () => {} }
  }
  const running = options.join ? await joinEmbedded(config.dataDir) : undefined
  if (running) return { url: running, close: async () => {} }
  const embedded = await startEmbedded({ dataDir: config.dataDir, log, onLost })
  return { url: embedded.url, close: () => embedded.stop() }
}
