import { z } from 'zod'

/** Somebody who has an account at the provider, and what it says of them: also what it should not. */
export const OpenIdAccount = z.looseObject({
  /** What the provider calls them, for ever; made from the address unless it is told. */
  sub: z.string().optional(),
  email: z.string(),
  name: z.string().optional(),
  email_verified: z.unknown().default(true),
})
export type OpenIdAccount = z.input<typeof OpenIdAccount>

export type Claims = Record<string, unknown> & { sub: string; email: string }

/** Who has an account there. */
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
    /** The one with that address; the one made last, if it has passed from one to another. */
    withEmail: (email: string) => [...accounts.values()].findLast((each) => each.email === email),
  }
}

export type Accounts = ReturnType<typeof createAccounts>
