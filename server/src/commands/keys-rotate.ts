import { parseArgs } from 'node:util'
import { rotateKeys } from '../platform/auth/signing-keys.ts'
import { createSecrets } from '../platform/secrets.ts'
import { command, secretOfServer, withDatabase } from './command.ts'

/** The command `npm run keys:rotate`: rotates the signing key, whether or not the server is running. */
await command(async (config) => {
  const { values } = parseArgs({ options: { now: { type: 'boolean', default: false } } })
  const secrets = createSecrets(await secretOfServer(config))
  const kind = values.now ? 'immediate' : 'graceful'
  const { kid, signsFrom } = await withDatabase(config, (db) => rotateKeys(db, secrets, kind))
  return values.now
    ? `The new key ${kid} signs since ${signsFrom}.\n` +
        'The others are worth nothing: a server that runs knows it within a minute.'
    : `The new key ${kid} signs from ${signsFrom}.\n` +
        'The others verify until the last token they signed has expired.'
})
