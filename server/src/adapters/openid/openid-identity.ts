import { z } from 'zod'
import { type ExternalIdentity, IdentityProviderError } from '../../ports/identity-provider.ts'

/** For display only, not for decisions. PostgreSQL cannot store NUL characters and unpaired surrogates. */
const Shown = z
  .string()
  .trim()
  .min(1)
  .max(300)
  .refine((text) => !text.includes('\u0000') && !/\p{Surrogate}/u.test(text))
  .nullable()
  .catch(null)

const Claims = z.object({
  // The longest subject that the protocol allows (OpenID Connect Core, 2).
  sub: z.string().regex(/^[ -~]{1,255}$/),
  // Checked before the conversion: some non-Latin characters become Latin letters in lower case.
  email: z.string().trim().max(254).pipe(z.email().toLowerCase()).nullable().catch(null),
  email_verified: z.unknown(),
  name: Shown,
  picture: z
    .url({ protocol: /^https$/ })
    .max(1000)
    .nullable()
    .catch(null),
})

/** Reads the identity from the claims. @throws IdentityProviderError if there is no valid subject */
export function identityOf(claims: unknown): ExternalIdentity {
  const read = Claims.safeParse(claims)
  if (!read.success) throw new IdentityProviderError('refused', 'the subject cannot be used')
  const { sub, email, email_verified: verified, name, picture } = read.data
  // Some providers send the string "false", which is truthy.
  return { subject: sub, email, emailVerified: verified === true, name, picture }
}
