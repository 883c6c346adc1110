import { errors, jwtVerify, SignJWT } from 'jose'
import { z } from 'zod'
import type { Clock } from '../../ports/clock.ts'

const ALGORITHM = 'HS256'

/** The longest that a link may live, in seconds: seven days. */
export const LONGEST_LINK = 7 * 24 * 60 * 60

/** What clients say of links to upload with: two hours. */
const UPLOAD_LINK = 2 * 60 * 60

const TOKEN = /^[\w-]+\.[\w-]+\.[\w-]+$/

/** `{bucket}/{name}` */
const Url = z.string().min(3)
/** Who signed it; null for another server, with its key. */
const Owner = z.uuid().nullable()

const times = { iat: z.number().int(), exp: z.number().int() }

const DownloadClaims = z.object({
  ...times,
  url: Url,
  scope: z.literal('download'),
  owner: Owner,
  /** How a picture is drawn, as `drawings.ts` writes it. */
  transform: z.string().optional(),
})
const UploadClaims = z.object({
  ...times,
  url: Url,
  scope: z.literal('upload'),
  owner: Owner,
  upsert: z.boolean(),
})

type Owned = { owner: string | null }

/** Why a token opens nothing: it is none of ours, is for something else, or is over. */
export type TokenRefusal = 'invalid' | 'other' | 'expired'

export type SignedTokens = ReturnType<typeof createSignedTokens>

/**
 * The tokens in signed links. A token is for one object and one purpose; what its owner may do is asked
 * again when it is used. Its key is for nothing else, so that no session's token is one, nor the reverse.
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
    if (!parsed.success || parsed.data.url !== url) return 'other'
    const { iat, exp } = parsed.data
    // Nothing that we sign lives longer, whatever it says.
    return exp - iat > LONGEST_LINK ? 'invalid' : parsed.data
  }

  async function verify(token: string): Promise<unknown> {
    // Base64 is read although something else stands in it.
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
    /** @param seconds how long it opens the object; `LONGEST_LINK` at most */
    download(url: string, seconds: number, signed: Owned & { transform?: string | undefined }) {
      const { owner, transform } = signed
      return sign({ ...(transform && { transform }), owner, scope: 'download', url }, seconds)
    },
    upload(url: string, { owner, upsert }: Owned & { upsert: boolean }) {
      return sign({ upsert, owner, scope: 'upload', url }, UPLOAD_LINK)
    },
    /** What a token lets its holder do with that object, for which it must have been made. */
    readDownload: (token: string, url: string) => read(token, DownloadClaims, url),
    readUpload: (token: string, url: string) => read(token, UploadClaims, url),
  }
}
