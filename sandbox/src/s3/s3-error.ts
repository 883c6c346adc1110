import { xml } from './xml.ts'

/** An S3 error: a code, and its status. */
export class S3Error extends Error {
  override readonly name = 'S3Error'
  readonly status: number
  readonly code: string
  /** Further elements of the error, such as the string to sign after a wrong signature. */
  readonly details: Record<string, string>

  constructor(status: number, code: string, message: string, details: Record<string, string> = {}) {
    super(message)
    this.status = status
    this.code = code
    this.details = details
  }

  get body(): string {
    const { code, message, details } = this
    return xml('Error', { Code: code, Message: message, ...details, RequestId: 'SANDBOX' })
  }
}

export const noSuchKey = (key: string) =>
  new S3Error(404, 'NoSuchKey', 'The specified key does not exist.', { Key: key })

export const noSuchBucket = (bucket: string) =>
  new S3Error(404, 'NoSuchBucket', 'The specified bucket does not exist', { BucketName: bucket })

export const notImplemented = () =>
  new S3Error(501, 'NotImplemented', 'A header or a query that the sandbox does not know.')

export const invalidArgument = (message: string) => new S3Error(400, 'InvalidArgument', message)

export const internalError = () =>
  new S3Error(500, 'InternalError', 'We encountered an internal error. Please try again.')

export const slowDown = () => new S3Error(503, 'SlowDown', 'Please reduce your request rate.')
