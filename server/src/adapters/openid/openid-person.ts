import { z } from 'zod'
import { type ExternalPerson, IdentityProviderError } from '../../ports/identity-provider.ts'

/** Shown and kept, never decided by. PostgreSQL keeps no zero bytes and no halves of characters. */
const Shown = z
  .string()
  .trim()
  .min(1)
  .max(300)
  .refine((text) => !text.includes('\u0000') && !/\p{Surrogate}/u.test(text))
  .nullable()
  .catch(null)

const Claims = z.object({
  // The protocol allows no more (OpenID Connect Core, 2).
  sub: z.string().regex(/^[ -~]{1,255}$/),
  // Looked at as it is: some signs of other scripts are Latin letters in lower case.
  email: z.string().trim().max(254).pipe(z.email().toLowerCase()).nullable().catch(null),
  email_verified: z.unknown(),
  name: Shown,
  picture: z
    .url({ protocol: /^https$/ })
    .max(1000)
    .nullable()
    .catch(null),
})

/** @throws IdentityProviderError when there is no subject that can be kept */
export function personOf(claims: unknown): ExternalPerson {
  const read = Claims.safeParse(claims)
  if (!read.success) throw new IdentityProviderError('refused', 'the subject cannot be used')
  const { sub, email, email_verified: verified, name, picture } = read.data
  // Some providers say "false", which is true to whoever does not look.
  return { subject: sub, email, emailVerified: verified === true, name, picture }
}
