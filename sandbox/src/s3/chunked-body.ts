import { S3Error } from './s3-error.ts'
import { type Signed, sha256 } from './signature.ts'

const NOTHING = sha256('')

const broken = () => new S3Error(400, 'IncompleteBody', 'The body is not chunked as it says.')

const forged = () =>
  new S3Error(403, 'SignatureDoesNotMatch', 'The signature of a part of the body is wrong.')

/**
 * Decodes an `aws-chunked` body: chunks with their lengths, signed if `isSigned`, and trailing headers.
 *
 * @throws S3Error
 */
export function readChunked(body: Buffer, { signature, sign }: Signed, isSigned: boolean) {
  const parts: Buffer[] = []
  let previous = signature
  let rest = body

  function line(): string {
    const end = rest.indexOf('\r\n')
    if (end < 0) throw broken()
    const text = rest.subarray(0, end).toString()
    rest = rest.subarray(end + 2)
    return text
  }

  function checkPart(said: string | undefined, part: Buffer) {
    if (!isSigned) return
    const expected = sign(['AWS4-HMAC-SHA256-PAYLOAD', previous, NOTHING, sha256(part)])
    if (said !== expected) throw forged()
    previous = expected
  }

  for (;;) {
    const [, size = '', said] =
      /^([0-9a-f]+)(?:;chunk-signature=([0-9a-f]{64}))?$/.exec(line()) ?? []
    if (size === '') throw broken()
    const length = Number.parseInt(size, 16)
    const part = rest.subarray(0, length)
    if (part.length !== length) throw broken()
    checkPart(said, part)
    if (length === 0) break
    rest = rest.subarray(length)
    if (line() !== '') throw broken()
    parts.push(part)
  }

  const trailers: Record<string, string> = {}
  const lines: string[] = []
  while (rest.length > 0) {
    const text = line()
    if (text === '') break
    const [name = '', value = ''] = text.split(/:(.*)/)
    if (name === 'x-amz-trailer-signature') {
      const expected = sign(['AWS4-HMAC-SHA256-TRAILER', previous, sha256(lines.join(''))])
      if (value !== expected) throw forged()
      continue
    }
    trailers[name] = value
    lines.push(`${name}:${value}\n`)
  }
  return { content: Buffer.concat(parts), trailers }
}
