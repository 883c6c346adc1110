import { randomBytes } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { StartupError } from '../base/startup-error.ts'
import { createAdministratorsStore } from '../features/administrators/administrators.store.ts'
import { createAuthStore } from '../platform/auth/auth.store.ts'
import { AuthError } from '../platform/auth/auth-error.ts'
import { checkPassword, hashPassword } from '../platform/auth/passwords.ts'
import { command, withDatabase } from './command.ts'

const usage =
  'npm run admin:create -- --email name@example.it [--password-stdin]  (without it a password is made and shown)'

/** The command `npm run admin:create`: creates an administrator, whether or not the server is running. */
await command(async (config) => {
  const { email, password } = await readArguments()
  const passwordHash = await hashPassword(password.text)
  await withDatabase(config, (db) =>
    db.transaction().execute(async (tx) => {
      const user = await createAuthStore(tx).users.insert({ email, passwordHash, confirmed: true })
      if (!user) throw new StartupError(`There is an account with the address ${email} already.`)
      await createAdministratorsStore(tx).insert(user.id)
    }),
  )
  const shown = password.made ? `\nPassword, shown this once: ${password.text}` : ''
  return `Administrator ${email} created.${shown}`
})

async function readArguments() {
  const { values } = parseArgs({
    options: { email: { type: 'string' }, 'password-stdin': { type: 'boolean', default: false } },
  })
  const email = z.email().safeParse(values.email)
  if (!email.success) throw new StartupError(`An e-mail address is needed: ${usage}`)
  const given = values['password-stdin'] ? (await text(process.stdin)).trim() : undefined
  if (given !== undefined) await acceptable(given, email.data)
  const password = given ?? randomBytes(15).toString('base64url')
  return { email: email.data, password: { text: password, made: given === undefined } }
}

async function acceptable(password: string, email: string): Promise<void> {
  try {
    await checkPassword(password, email)
  } catch (error) {
    throw error instanceof AuthError ? new StartupError(error.message) : error
  }
}
