import { createPrivateKey, generateKeyPairSync, type JsonWebKey, sign } from 'node:crypto'

export type OpenIdKey = ReturnType<typeof createKey>

/** The provider's signing key, ES256. */
export function createKey() {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const jwk: JsonWebKey = privateKey.export({ format: 'jwk' })
  const header = { alg: 'ES256', kid: 'sandbox', typ: 'JWT' }
  return {
    privateJwk: { ...jwk, kty: 'EC', kid: header.kid, alg: header.alg, use: 'sig' },

    /** A token with exactly these claims. */
    signed(claims: object, typ = header.typ): string {
      const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
      const content = `${part({ ...header, typ })}.${part(claims)}`
      const key = createPrivateKey({ key: jwk, format: 'jwk' })
      const signature = sign('sha256', Buffer.from(content), { key, dsaEncoding: 'ieee-p1363' })
      return `${content}.${signature.toString('base64url')}`
    },
  }
}
