import { StartupError } from '../base/startup-error.ts'
import type { Database } from '../database/database.ts'
import { createAuthStore } from '../platform/auth/auth.store.ts'

/** Public knowledge: it is printed at the start. */
export const demoPassword = 'Bancone-demo-1'

/** The code of the demo pharmacy with offers. */
export const demoPharmacyCode = 'PHARM-0001'

export const demoAccounts = [
  { who: `Farmacia San Marco (${demoPharmacyCode})`, email: 'farmacia@demo.bancone.it' },
  { who: 'Giulia Ferri, collega a San Marco', email: 'giulia@demo.bancone.it' },
  { who: 'Farmacia Garibaldi (PHARM-0002)', email: 'garibaldi@demo.bancone.it' },
  { who: 'Amministratore', email: 'admin@demo.bancone.it' },
] as const

export type DemoAccount = (typeof demoAccounts)[number]

/** The demo accounts that exist: some may have been removed, or be newer than the data folder. */
export async function demoAccountsIn(db: Database): Promise<DemoAccount[]> {
  const { users } = createAuthStore(db)
  const there = await Promise.all(demoAccounts.map(({ email }) => users.exists([email])))
  return demoAccounts.filter((_, n) => there[n])
}

/** @throws StartupError if the database of a production server contains demo accounts */
export async function refuseDemoAccounts(db: Database): Promise<void> {
  if ((await demoAccountsIn(db)).length === 0) return
  throw new StartupError(
    'The database holds the accounts of the demo, whose password everybody knows: set DATA_DIR to a ' +
      'new folder (or DATABASE_URL to a new database) for real use, or DEMO=1 to go on with the demo.',
  )
}
