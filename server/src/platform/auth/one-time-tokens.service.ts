import { randomBytes } from 'node:crypto'
import { TooManyRequests } from '../rate-limits.ts'
import type { AuthTables } from './auth.store.ts'
import type { AuthContext, Caller } from './auth-context.ts'
import { AuthError } from './auth-error.ts'
import { tooManyRequests } from './auth-limits.ts'
import type { StoredToken } from './one-time-tokens.store.ts'
import {
  codeHash,
  lifetimes,
  linkHash,
  newCode,
  newLinkToken,
  sameHash,
  type TokenKind,
} from './one-time-tokens.ts'
import { normalEmail } from './users.store.ts'

/** What is sent: the token of a link, and a code that does the same when it is typed. */
export type IssuedToken = { token: string; code: string }

export type OneTimeTokens = ReturnType<typeof createOneTimeTokens>

/** What a person presents: the token of a link, or their address and the code sent to it. */
export type Presented = { token: string } | { email: string; code: string }

/** Makes the tokens of links and codes, and finds the one that was presented. */
export function createOneTimeTokens(
  { store, limits }: Pick<AuthContext, 'store' | 'limits'>,
  codeKey: Buffer,
) {
  const refused = () => new AuthError('otp_expired')
  const matches = (kept: StoredToken, code: string) =>
    sameHash(kept.codeHash, codeHash(codeKey, kept.linkHash, code))

  /** The same calls whether anybody has that address or not, so that their time tells nothing. */
  async function byCode(email: string, code: string, kinds: readonly TokenKind[]) {
    const of = normalEmail(email)
    const guesses = [
      { limit: 'verify-code', of },
      { limit: 'verify-account', of },
    ] as const
    await limits.take(...guesses).catch((error: unknown) => {
      throw error instanceof TooManyRequests ? refused() : error
    })
    const found = (await store.tokens.ofAddress(email, kinds)).find((kept) => matches(kept, code))
    if (found) await limits.giveBack(...guesses)
    return found
  }

  return {
    /**
     * @param wishes `codeChallenge` of a client that will prove who asked (PKCE), null for a plain link;
     *   `withCode` only if the code is shown to somebody: one that nobody knows can only be guessed
     */
    async issue(
      user: { id: string },
      kind: TokenKind,
      sentTo: string,
      wishes: { codeChallenge: string | null; withCode: boolean },
      tables: Pick<AuthTables, 'tokens'> = store,
    ): Promise<IssuedToken> {
      const { codeChallenge, withCode } = wishes
      const token = newLinkToken(codeChallenge !== null)
      const code = newCode()
      const link = linkHash(token)
      await tables.tokens.put(
        {
          userId: user.id,
          kind,
          linkHash: link,
          codeHash: withCode ? codeHash(codeKey, link, code) : randomBytes(32),
          codeChallenge,
        },
        lifetimes[kind],
      )
      if (withCode) await limits.reset({ limit: 'verify-code', of: normalEmail(sentTo) })
      return { token, code }
    },

    /**
     * Does not use it up.
     *
     * @throws AuthError `otp_expired`, `over_request_rate_limit`
     */
    async find(
      presented: Presented,
      kinds: readonly TokenKind[],
      caller: Caller,
    ): Promise<StoredToken> {
      const failures = { limit: 'verify-address', of: caller.address } as const
      await limits.take(failures).catch(tooManyRequests)
      const found =
        'token' in presented
          ? await store.tokens.ofLink(linkHash(presented.token), kinds)
          : await byCode(presented.email, presented.code, kinds)
      if (!found) throw refused()
      await limits.giveBack(failures)
      return found
    },

    /** The code somebody who is signed in was sent, to prove it is still them. Uses it up. */
    async useCode(user: { id: string; email: string }, code: string): Promise<boolean> {
      const of = normalEmail(user.email)
      const guesses = [
        { limit: 'verify-code', of },
        { limit: 'verify-account', of },
      ] as const
      await limits.take(...guesses).catch(tooManyRequests)
      const kept = await store.tokens.ofUser(user.id, 'reauthentication')
      if (!kept || !matches(kept, code) || !(await store.tokens.use(kept.linkHash))) return false
      await limits.giveBack(...guesses)
      return true
    },
  }
}
