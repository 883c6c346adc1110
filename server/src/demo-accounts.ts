import type { Database } from './database/database.ts'
import { createAuthStore } from './platform/auth/auth.store.ts'
import { StartupError } from './startup-error.ts'

/** Everybody knows it. */
export const demoPassword = 'Bancone-demo-1'

export const demoAccounts = [
  { who: 'Farmacia San Marco (PHARM-0001)', email: 'farmacia@demo.bancone.it' },
  { who: 'Giulia Ferri, collega a San Marco', email: 'giulia@demo.bancone.it' },
  { who: 'Farmacia Garibaldi (PHARM-0002)', email: 'garibaldi@demo.bancone.it' },
  { who: 'Amministratore', email: 'admin@demo.bancone.it' },
] as const

export function hasDemoAccounts(db: Database): Promise<boolean> {
  return createAuthStore(db).users.any(demoAccounts.map(({ email }) => email))
}

/** @throws StartupError when the accounts of a demo would be let into a real deployment */
export async function refuseDemoAccounts(db: Database): Promise<void> {
  if (!(await hasDemoAccounts(db))) return
  throw new StartupError(
    'The database holds the accounts of the demo, whose password everybody knows: set DATA_DIR to a ' +
      'new folder (or DATABASE_URL to a new database) for real use, or DEMO=1 to go on with the demo.',
  )
}
