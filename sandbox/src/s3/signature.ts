import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { S3Error } from './s3-error.ts'

export type Keys = { id: string; secret: string }

/** The maximum clock skew of a request. */
const MAX_SKEW_MS = 15 * 60_000

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([a-z0-9;-]+), ?Signature=([0-9a-f]{64})$/

const denied = (code: string, message: string, details?: Record<string, string>) =>
  new S3Error(403, code, message, details)

/**
 * Verifies the signature in a request's headers (Signature Version 4).
 *
 * @returns the signed hash of the body
 * @throws S3Error with S3's messages
 */
export function checkSignature(
  request: IncomingMessage,
  { keys, region, now }: { keys: Keys; region: string; now: number },
): string {
  const { authorization } = request.headers
  if (authorization === undefined) throw denied('AccessDenied', 'Access Denied')
  const found = AUTHORIZATION.exec(authorization)
  const [, keyId = '', day = '', scope = '', names = '', signature = ''] = found ?? []
  if (!found || scope !== region) {
    const message = `The authorization header is malformed; expecting '${region}'`
    throw new S3Error(400, 'AuthorizationHeaderMalformed', message, { Region: region })
  }
  if (keyId !== keys.id) {
    const message = 'The AWS Access Key Id you provided does not exist in our records.'
    throw denied('InvalidAccessKeyId', message, { AWSAccessKeyId: keyId })
  }
  const time = headerOf(request, 'x-amz-date')
  const skew = Math.abs(now - timeOf(time))
  // An invalid time is NaN, for which both comparisons are false.
  if (!(skew <= MAX_SKEW_MS) || !time.startsWith(day)) {
    throw denied('RequestTimeTooSkewed', 'The request time differs too much from ours.')
  }
  const signedNames = names.split(';')
  const contentHash = headerOf(request, 'x-amz-content-sha256')
  const needed = [
    'host',
    ...Object.keys(request.headers).filter((name) => name.startsWith('x-amz-')),
  ]
  if (contentHash === '' || !needed.every((name) => signedNames.includes(name))) {
    throw denied('AccessDenied', 'There were headers present in the request which were not signed')
  }

  const canonical = canonicalRequest(request, signedNames, contentHash)
  const credential = `${day}/${region}/s3/aws4_request`
  const key = [day, region, 's3', 'aws4_request'].reduce<Buffer | string>(
    hmac,
    `AWS4${keys.secret}`,
  )
  const text = ['AWS4-HMAC-SHA256', time, credential, sha256(canonical)].join('\n')
  const expected = hmac(key, text).toString('hex')
  if (!timingSafeEqual(Buffer.from(expected), Buffer.from(signature))) {
    const message = 'The request signature we calculated does not match the signature you provided.'
    throw denied('SignatureDoesNotMatch', message, {
      AWSAccessKeyId: keyId,
      SignatureProvided: signature,
      CanonicalRequest: canonical,
    })
  }
  return contentHash
}

function canonicalRequest(request: IncomingMessage, names: string[], contentHash: string): string {
  const [path = '', query = ''] = (request.url ?? '').split(/\?(.*)/)
  return [
    request.method,
    path.split('/').map(encodedAgain).join('/'),
    query
      .split('&')
      .filter((pair) => pair !== '')
      .map((pair) => {
        const [name = '', value = ''] = pair.split(/=(.*)/)
        return `${encodedAgain(name)}=${encodedAgain(value)}`
      })
      .sort()
      .join('&'),
    ...names.map((name) => `${name}:${headerOf(request, name).trim().replace(/ +/g, ' ')}`),
    '',
    names.join(';'),
    contentHash,
  ].join('\n')
}

/** Re-encodes in the canonical form. */
function encodedAgain(part: string): string {
  return encodeURIComponent(decodeURIComponent(part)).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

function headerOf({ headers }: IncomingMessage, name: string): string {
  const value = headers[name] ?? ''
  return typeof value === 'string' ? value : value.join(',')
}

/** `20261121T071935Z` */
function timeOf(text: string): number {
  return Date.parse(text.replace(/^(\d{4})(\d\d)(\d\dT\d\d)(\d\d)(\d\dZ)$/, '$1-$2-$3:$4:$5'))
}

function hmac(key: Buffer | string, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

export function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}
