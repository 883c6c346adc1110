import { createHash } from 'node:crypto'
import { noSuchModel, notAuthenticated } from './api-error.ts'
import type { CallKind } from './counts.ts'

export type Scope =
  | 'data.records:read'
  | 'data.records:write'
  | 'schema.bases:read'
  | 'webhook:manage'

/** What a token may do, and with which bases. Absent: everything. `user`: whose it is, if not of a user of its own. */
export type TokenGrant = {
  user?: string
  bases?: readonly string[]
  scopes?: readonly Scope[]
}

const NEEDED: Record<CallKind, Scope> = {
  list: 'data.records:read',
  read: 'data.records:read',
  write: 'data.records:write',
  meta: 'schema.bases:read',
  webhook: 'webhook:manage',
}

/** The personal access tokens, by their text. */
export function createTokens(grants: Map<string, TokenGrant>) {
  const grantOf = (authorization: string | undefined) =>
    grants.get((authorization ?? '').replace(/^Bearer /, ''))
  return {
    /** The id of the user whose the token is. */
    userOf(authorization: string | undefined): string {
      const own = createHash('sha256')
        .update(authorization ?? '')
        .digest('hex')
      return grantOf(authorization)?.user ?? `usr${own.slice(0, 14)}`
    },
    isKnown: (authorization: string | undefined) => grantOf(authorization) !== undefined,
    /**
     * Airtable answers the same for a missing scope, a base that is not the token's, and one that does not exist.
     *
     * @throws ApiError 401 or 403
     */
    require(authorization: string | undefined, kind: CallKind, base: string): void {
      const grant = grantOf(authorization)
      if (!grant) throw notAuthenticated()
      const { scopes = Object.values(NEEDED), bases } = grant
      if (!scopes.includes(NEEDED[kind])) throw noSuchModel()
      if (bases && base !== '' && !bases.includes(base)) throw noSuchModel()
    },
    /** Gives a token, or changes what it may do; undefined revokes it. */
    set(token: string, grant: TokenGrant | undefined): void {
      if (grant) grants.set(token, grant)
      else grants.delete(token)
    },
  }
}
