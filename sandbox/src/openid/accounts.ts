import { z } from 'zod'

/** An account at the provider with its claims, including invalid ones. */
export const OpenIdAccount = z.looseObject({
  /** The permanent subject; derived from the address by default. */
  sub: z.string().optional(),
  email: z.string(),
  name: z.string().optional(),
  email_verified: z.unknown().default(true),
})
export type OpenIdAccount = z.input<typeof OpenIdAccount>

export type Claims = Record<string, unknown> & { sub: string; email: string }

/** The accounts at the provider. */
export function createAccounts(given: readonly OpenIdAccount[]) {
  const accounts = new Map<string, Claims>()

  function put(account: OpenIdAccount): Claims {
    const { sub = `demoid|${account.email}`, ...claims } = OpenIdAccount.parse(account)
    const whole = { ...claims, sub }
    accounts.set(sub, whole)
    return whole
  }
  for (const account of given) put(account)

  return {
    put,
    all: () => [...accounts.values()],
    find: (sub: string) => accounts.get(sub),
    /** The account with that address; the newest one if there are several. */
    withEmail: (email: string) => [...accounts.values()].findLast((each) => each.email === email),
  }
}

export type Accounts = ReturnType<typeof createAccounts>
