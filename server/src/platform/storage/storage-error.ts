/**
 * The errors of the Supabase Storage protocol: code → HTTP status, kind and message. The reference server
 * answers 400 for most; older clients also understand 404, and check the status for these two only.
 */
const known = {
  InvalidRequest: [400, 'invalid_request', 'The request is not valid'],
  InvalidBucketName: [400, 'invalid_bucket_name', 'Bucket name invalid'],
  InvalidKey: [400, 'invalid_key', 'Invalid key'],
  InvalidJWT: [400, 'Unauthorized', 'The access token is not valid, or it has expired'],
  InvalidSignature: [400, 'invalid_signature', 'Invalid signature'],
  ExpiredToken: [400, 'expired_token', 'The link has expired'],
  AccessDenied: [403, 'Unauthorized', 'Access denied'],
  NoSuchBucket: [404, 'not_found', 'Bucket not found'],
  NoSuchKey: [404, 'not_found', 'Object not found'],
  NotFound: [404, 'not_found', 'This call is not offered here'],
  BucketAlreadyExists: [409, 'Duplicate', 'The resource already exists'],
  KeyAlreadyExists: [409, 'Duplicate', 'The resource already exists'],
  ResourceNotEmpty: [409, 'not_empty', 'The bucket you tried to delete is not empty'],
  EntityTooLarge: [413, 'Payload too large', 'The object exceeded the maximum allowed size'],
  InvalidMimeType: [415, 'invalid_mime_type', 'The mime type is not supported'],
  InvalidRange: [416, 'invalid_range', 'The requested range is not satisfiable'],
  InternalError: [500, 'internal', 'Internal error'],
  SlowDown: [503, 'unavailable', 'The service is busy, try again'],
} as const

export type StorageErrorCode = keyof typeof known

export class StorageError extends Error {
  override readonly name = 'StorageError'
  readonly code: StorageErrorCode
  readonly status: number
  /** The kind of error in the protocol. */
  readonly kind: string
  /** Headers of the response, such as `Content-Range` for an unsatisfiable range. */
  readonly headers: Record<string, string>

  constructor(
    code: StorageErrorCode,
    options: ErrorOptions & { message?: string; headers?: Record<string, string> } = {},
  ) {
    const [status, kind, message] = known[code]
    super(options.message ?? message, options)
    this.code = code
    this.status = status
    this.kind = kind
    this.headers = options.headers ?? {}
  }
}
