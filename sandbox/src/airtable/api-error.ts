/** An error response of Airtable: status and body in its format. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly body: object

  constructor(status: number, body: object) {
    super(JSON.stringify(body))
    this.status = status
    this.body = body
  }
}

function explained(status: number, type: string, message: string): ApiError {
  return new ApiError(status, { error: { type, message } })
}

/** Airtable has two formats of errors: a bare type, and a type with a message. */
export const notFound = () => new ApiError(404, { error: 'NOT_FOUND' })

export const iteratorGone = () =>
  new ApiError(422, { error: 'LIST_RECORDS_ITERATOR_NOT_AVAILABLE' })

export const notAuthenticated = () =>
  explained(401, 'AUTHENTICATION_REQUIRED', 'Authentication required')

export const noSuchModel = () =>
  explained(
    403,
    'INVALID_PERMISSIONS_OR_MODEL_NOT_FOUND',
    'Invalid permissions, or the requested model was not found. Check that both your user and your ' +
      'token have the required permissions, and that the model names and/or ids are correct.',
  )

export const invalidRequest = (what = 'parameter validation failed') =>
  explained(422, 'INVALID_REQUEST_UNKNOWN', `Invalid request: ${what}. Check your request data.`)

export const invalidOffset = (offset: string) =>
  explained(422, 'INVALID_OFFSET_VALUE', `The value of offset ${offset} is invalid`)

export const tooLarge = () => explained(413, 'REQUEST_TOO_LARGE', 'Request body is too large')

export const unknownField = (name: string) =>
  explained(422, 'UNKNOWN_FIELD_NAME', `Unknown field name: "${name}"`)

export const invalidValue = (name: string, why = 'cannot accept the provided value') =>
  explained(422, 'INVALID_VALUE_FOR_COLUMN', `Field "${name}" ${why}`)

export const unknownOption = (option: string) =>
  explained(
    422,
    'INVALID_MULTIPLE_CHOICE_OPTIONS',
    `Insufficient permissions to create new select option "${option}"`,
  )

export const invalidFormula = (why: string) =>
  explained(
    422,
    'INVALID_FILTER_BY_FORMULA',
    `The formula for filtering records is invalid: ${why}`,
  )

export const serverError = () => explained(500, 'SERVER_ERROR', 'Something went wrong')

/** A third format, used for this error only. */
export const rateLimited = () =>
  new ApiError(429, {
    errors: [
      { error: 'RATE_LIMIT_REACHED', message: 'Rate limit exceeded. Please try again later' },
    ],
  })
