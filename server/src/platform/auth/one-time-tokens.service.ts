import { randomBytes } from 'node:crypto'
import { TooManyRequests } from '../rate-limits.ts'
import { isKnownAddress, UNKNOWN_USER_ID } from './attempt-limits.ts'
import type { AuthStore, AuthTables } from './auth.store.ts'
import type { AuthContext, Caller } from './auth-context.ts'
import { AuthError } from './auth-error.ts'
import { tooManyRequests } from './auth-limits.ts'
import type { DeviceCookies } from './cookies.ts'
import { emailProviderMetadata, mergedMetadata, providersOf } from './metadata.ts'
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
import { type AuthUser, normalizeEmail } from './users.store.ts'

/**
 * Records that one of the two addresses has confirmed, and changes the address once both have.
 *
 * @param now ISO 8601
 * @returns null while the other confirmation is missing
 * @throws AuthError `otp_expired`, and `email_exists` when the new address was taken meanwhile
 */
export async function confirmEmailChange(
  { users, tokens }: Pick<AuthStore, 'users' | 'tokens'>,
  user: AuthUser,
  kind: 'email_change_current' | 'email_change_new',
  now: string,
): Promise<AuthUser | null> {
  if (user.new_email === null) throw new AuthError('otp_expired')
  const side = kind === 'email_change_current' ? 'current' : 'new'
  const other = side === 'current' ? 'new' : 'current'
  const agreed = user.email === null || user.new_email_confirmed_by === other
  if (!agreed) {
    await users.update(user.id, { new_email_confirmed_by: side })
    return null
  }
  // Links and codes sent to the old address become invalid.
  await tokens.deleteOfUser(user.id)
  return users.update(user.id, {
    email: user.new_email,
    is_anonymous: false,
    app_metadata: mergedMetadata(user.app_metadata, {
      ...emailProviderMetadata,
      providers: providersOf(true, user.identities),
    }),
    email_confirmed_at: now,
    new_email: null,
    new_email_confirmed_by: null,
  })
}

export type OneTimeTokens = ReturnType<typeof createOneTimeTokens>

/** The token of a link, or an address and the code sent to it. */
export type PresentedToken = { token: string } | { email: string; code: string }

type Dependencies = AuthContext & {
  devices: Pick<DeviceCookies, 'read'>
}

/** Those who present codes of an account are counted by what is known of them. */
const standings = ['stranger', 'known address', 'device'] as const
type Standing = (typeof standings)[number]

const guessesOf = (email: string, standing: Standing) => {
  const subject = `${normalizeEmail(email)} ${standing}`
  return [
    { limit: 'verify-code', subject },
    { limit: 'verify-account', subject },
  ] as const
}

/** Issues the tokens of links and codes, and finds presented ones. */
export function createOneTimeTokens(context: Dependencies) {
  const { store, limits, devices } = context
  const codeKey = context.secrets.key('one-time codes')
  const refused = () => new AuthError('otp_expired')
  const matches = (kept: StoredToken, code: string) =>
    sameHash(kept.codeHash, codeHash(codeKey, kept.linkHash, code))

  /** The device of the account, and what is known of the caller. Makes the same queries for an unknown address. */
  async function standingOf(email: string, caller: Caller, cookies: string | undefined) {
    const user = await store.users.findByEmail(email)
    const device = user && devices.read(cookies, user.id)
    const userId = user?.id ?? UNKNOWN_USER_ID
    const isKnown = await isKnownAddress(context, userId, caller, ['signed_in'])
    const standing: Standing = device ? 'device' : isKnown ? 'known address' : 'stranger'
    return { device, standing }
  }

  /** Makes the same queries for an unknown address, so that the duration does not reveal an account. */
  async function byCode(
    email: string,
    code: string,
    kinds: readonly TokenKind[],
    standing: Standing,
  ) {
    const guesses = guessesOf(email, standing)
    await limits.take(...guesses).catch((error: unknown) => {
      throw error instanceof TooManyRequests ? refused() : error
    })
    const found = (await store.tokens.findByEmail(email, kinds)).find((kept) => matches(kept, code))
    if (found) await limits.refund(...guesses)
    return found
  }

  return {
    /**
     * Issues the token for the link of a mail, and the code that can be typed instead.
     *
     * @param options `codeChallenge`: the client's PKCE challenge, or null; `withCode`: whether the mail shows
     *   the code. A code that is not shown could only be guessed, so none is stored then.
     */
    async issue(
      user: { id: string },
      kind: TokenKind,
      sentTo: string,
      options: { codeChallenge: string | null; withCode: boolean },
      tables: Pick<AuthTables, 'tokens'> = store,
    ) {
      const { codeChallenge, withCode } = options
      const token = newLinkToken(codeChallenge !== null)
      const code = newCode()
      const link = linkHash(token)
      await tables.tokens.upsert(
        {
          userId: user.id,
          kind,
          linkHash: link,
          codeHash: withCode ? codeHash(codeKey, link, code) : randomBytes(32),
          codeChallenge,
        },
        lifetimes[kind],
      )
      if (withCode) {
        await limits.reset(...standings.map((standing) => guessesOf(sentTo, standing)[0]))
      }
      return { token, code }
    },

    /**
     * Finds a valid token without consuming it.
     *
     * @param cookies the `Cookie` header: codes from a device of the account are counted apart
     * @throws AuthError `otp_expired`, `over_request_rate_limit`
     */
    async find(
      presented: PresentedToken,
      kinds: readonly TokenKind[],
      caller: Caller,
      cookies?: string,
    ): Promise<StoredToken> {
      const isLink = 'token' in presented
      const by = isLink ? undefined : await standingOf(presented.email, caller, cookies)
      const failures = { limit: 'verify-address', subject: by?.device ?? caller.address } as const
      await limits.take(failures).catch(tooManyRequests)
      const found = isLink
        ? await store.tokens.findByLink(linkHash(presented.token), kinds)
        : await byCode(presented.email, presented.code, kinds, by?.standing ?? 'stranger')
      if (!found) throw refused()
      await limits.refund(failures)
      return found
    },

    /** Consumes a reauthentication nonce, in a session of the user. @returns whether it was valid */
    async consumeCode(user: { id: string; email: string }, code: string): Promise<boolean> {
      const guesses = guessesOf(user.email, 'device')
      await limits.take(...guesses).catch(tooManyRequests)
      const kept = await store.tokens.findByUser(user.id, 'reauthentication')
      if (!kept || !matches(kept, code) || !(await store.tokens.consume(kept.linkHash))) {
        return false
      }
      await limits.refund(...guesses)
      return true
    },
  }
}
