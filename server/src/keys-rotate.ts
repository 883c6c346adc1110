import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { command, withDatabase } from './command.ts'
import type { Config } from './config.ts'
import { rotateKeys } from './platform/auth/signing-keys.ts'
import { createSecrets } from './platform/secrets.ts'
import { APP_SECRET_FILE, readSecret } from './secret-file.ts'
import { StartupError } from './startup-error.ts'

/** The command `npm run keys:rotate`: rotates the signing key, whether or not the server is running. */
await command(async (config) => {
  const { values } = parseArgs({ options: { now: { type: 'boolean', default: false } } })
  const secrets = createSecrets(await secretOf(config))
  const kind = values.now ? 'immediate' : 'graceful'
  const { kid, signsFrom } = await withDatabase(config, (db) => rotateKeys(db, secrets, kind))
  return values.now
    ? `The new key ${kid} signs since ${signsFrom}.\n` +
        'The others are worth nothing: a server that runs knows it within a minute.'
    : `The new key ${kid} signs from ${signsFrom}.\n` +
        'The others verify until the last token they signed has expired.'
})

/** The secret of the server, which must exist: a newly created one would not match. */
async function secretOf({ appSecret, dataDir }: Config): Promise<string> {
  const secret = appSecret ?? (await readSecret(join(dataDir, APP_SECRET_FILE)))
  if (secret) return secret
  throw new StartupError(
    `The server's secret is not in ${dataDir}: set DATA_DIR or APP_SECRET to the server's.`,
  )
}
