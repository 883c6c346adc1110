import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { App } from './app.ts'
import { query } from './database.ts'

const Rows = z.array(z.object({ what: z.string(), value: z.string() }))

/** For `AUTH_ADMIN_KEY`. */
export const serviceKey = 'una-chiave-di-servizio-delle-prove'

/** What the server keeps and shows to no browser, by what it is. */
export async function storedSecrets(app: App): Promise<Record<string, string[]>> {
  const rows = await query(
    app,
    `select 'password hash' as what, password_hash as value from auth_users where password_hash is not null
     union all select 'refresh token hash', encode(token_hash, 'hex') from auth_refresh_tokens
     union all select 'link hash', encode(link_hash, 'hex') from auth_one_time_tokens
     union all select 'recovery code hash', encode(code_hash, 'hex') from auth_recovery_codes
     union all select 'second factor', encode(secret, 'hex') from auth_factors
     union all select 'signing key', encode(private_jwk, 'hex') from auth_signing_keys`,
  )
  const secrets: Record<string, string[]> = {
    'service key': [serviceKey],
    'app secret': [(await readFile(join(app.dataDir, 'app-secret'), 'utf8')).trim()],
    'database password': [(await readFile(join(app.dataDir, 'postgres-password'), 'utf8')).trim()],
  }
  for (const { what, value } of Rows.parse(rows)) (secrets[what] ??= []).push(value)
  return secrets
}
