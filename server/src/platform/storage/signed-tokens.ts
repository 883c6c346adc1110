import { errors, jwtVerify, SignJWT } from 'jose'
import { z } from 'zod'
import type { Clock } from '../../ports/clock.ts'

const ALGORITHM = 'HS256'

/** The maximum lifetime of a signed URL, in seconds: seven days. */
export const MAX_SIGNED_URL_SECONDS = 7 * 24 * 60 * 60

/** The lifetime of a signed upload URL that the clients document, in seconds: two hours. */
const UPLOAD_URL_SECONDS = 2 * 60 * 60

const TOKEN = /^[\w-]+\.[\w-]+\.[\w-]+$/

/** `{bucket}/{name}` */
const Url = z.string().min(3)
/** The signer; null for another server with the admin key. */
const Owner = z.uuid().nullable()

const times = { iat: z.number().int(), exp: z.number().int() }

const DownloadClaims = z.object({
  ...times,
  url: Url,
  scope: z.literal('download'),
  owner: Owner,
  /** The serialized transform options (see `renditions.ts`). */
  transform: z.string().optional(),
})
const UploadClaims = z.object({
  ...times,
  url: Url,
  scope: z.literal('upload'),
  owner: Owner,
  upsert: z.boolean(),
})

type SignedBy = { owner: string | null }

/** Why a token is refused: not signed by us, for another object or purpose, or expired. */
export type TokenRefusal = 'invalid' | 'mismatch' | 'expired'

export type SignedTokens = ReturnType<typeof createSignedTokens>

/**
 * The tokens of signed URLs. A token is valid for one object and one purpose; the signer's access is checked
 * again at each use. The key signs nothing else, so that session tokens and these are not interchangeable.
 */
export function createSignedTokens(key: Uint8Array, clock: Clock) {
  const now = () => Math.floor(clock.now() / 1000)

  function sign(claims: Record<string, unknown>, seconds: number): Promise<string> {
    return new SignJWT({ ...claims, iat: now(), exp: now() + seconds })
      .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
      .sign(key)
  }

  async function read<S extends z.ZodType<{ url: string; iat: number; exp: number }>>(
    token: string,
    schema: S,
    url: string,
  ): Promise<z.output<S> | TokenRefusal> {
    const payload = await verify(token)
    if (payload === 'invalid' || payload === 'expired') return payload
    const parsed = schema.safeParse(payload)
    if (!parsed.success || parsed.data.url !== url) return 'mismatch'
    const { iat, exp } = parsed.data
    // A longer lifetime is never signed, so it is not accepted.
    return exp - iat > MAX_SIGNED_URL_SECONDS ? 'invalid' : parsed.data
  }

  async function verify(token: string): Promise<unknown> {
    // Base64 decoders ignore other characters.
    if (!TOKEN.test(token)) return 'invalid'
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms: [ALGORITHM],
        currentDate: new Date(clock.now()),
      })
      return payload
    } catch (error) {
      if (error instanceof errors.JWTExpired) return 'expired'
      if (error instanceof errors.JOSEError) return 'invalid'
      throw error
    }
  }

  return {
    /** @param seconds the lifetime; at most `MAX_SIGNED_URL_SECONDS` */
    download(url: string, seconds: number, signed: SignedBy & { transform?: string | undefined }) {
      const { owner, transform } = signed
      return sign({ ...(transform && { transform }), owner, scope: 'download', url }, seconds)
    },
    upload(url: string, { owner, upsert }: SignedBy & { upsert: boolean }) {
      return sign({ upsert, owner, scope: 'upload', url }, UPLOAD_URL_SECONDS)
    },
    /** The claims of a token. It must have been issued for that object. */
    readDownload: (token: string, url: string) => read(token, DownloadClaims, url),
    readUpload: (token: string, url: string) => read(token, UploadClaims, url),
  }
}
