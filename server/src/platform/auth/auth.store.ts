import type { Database } from '../../database/database.ts'
import { createExternalFlowsStore } from './external-flows.store.ts'
import { createFactorsStore, createRecoveryCodesStore } from './factors.store.ts'
import { createIdentitiesStore } from './identities.store.ts'
import { createOneTimeTokensStore } from './one-time-tokens.store.ts'
import { createSessionsStore } from './sessions.store.ts'
import { createUsersStore } from './users.store.ts'

export type AuthTables = ReturnType<typeof tables>

/** The stores bound to a transaction, and the transaction itself for further queries. */
export type Transaction = [tables: AuthTables, tx: Database]

export type AuthStore = AuthTables & {
  transaction<T>(work: (...transaction: Transaction) => Promise<T>): Promise<T>
}

/** The stores of users, sessions, one-time tokens, identities and factors. */
export function createAuthStore(db: Database): AuthStore {
  return {
    ...tables(db),
    transaction: (work) => db.transaction().execute((tx) => work(tables(tx), tx)),
  }
}

function tables(db: Database) {
  return {
    users: createUsersStore(db),
    sessions: createSessionsStore(db),
    tokens: createOneTimeTokensStore(db),
    identities: createIdentitiesStore(db),
    externalFlows: createExternalFlowsStore(db),
    factors: createFactorsStore(db),
    recoveryCodes: createRecoveryCodesStore(db),
  }
}
