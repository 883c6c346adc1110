import type { Database } from '../../database/database.ts'
import { createOneTimeTokensStore } from './one-time-tokens.store.ts'
import { createSessionsStore } from './sessions.store.ts'
import { createUsersStore } from './users.store.ts'

type AuthTables = {
  users: ReturnType<typeof createUsersStore>
  sessions: ReturnType<typeof createSessionsStore>
  tokens: ReturnType<typeof createOneTimeTokensStore>
}

export type AuthStore = AuthTables & {
  /** @param work gets the same stores, and the transaction itself for what else belongs to it */
  transaction<T>(work: (tables: AuthTables, tx: Database) => Promise<T>): Promise<T>
}

/** What is kept of users, their sessions, and the links and codes sent to them. */
export function createAuthStore(db: Database): AuthStore {
  return {
    ...tables(db),
    transaction: (work) => db.transaction().execute((tx) => work(tables(tx), tx)),
  }
}

function tables(db: Database): AuthTables {
  return {
    users: createUsersStore(db),
    sessions: createSessionsStore(db),
    tokens: createOneTimeTokensStore(db),
  }
}
