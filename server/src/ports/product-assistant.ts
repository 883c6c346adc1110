import { KindError } from './kind-error.ts'
/** All data that is sent to the assistant. */
export type AssistantRequest = { productName: string; pharmacyId: string; category: string }

/** The unvalidated response. Null: the assistant returned nothing for that field. */
export type AssistantReply = {
  description: string | null
  price: string | null
  minsan: string | null
}

/**
 * - `status`: the response has the HTTP error status `status`
 * - `timeout`: no response in time
 * - `unreachable`: no connection, or a connection that broke off
 * - `unreadable`: the response is invalid or too large
 */
export type AssistantErrorKind = 'status' | 'timeout' | 'unreachable' | 'unreadable'

export class AssistantError extends KindError<AssistantErrorKind> {
  override readonly name = 'AssistantError'
  readonly status: number | undefined

  constructor(
    kind: AssistantErrorKind,
    message: string,
    options?: ErrorOptions & { status?: number },
  ) {
    super(kind, message, options)
    this.status = options?.status
  }
}

/** Drafts texts for a product from its name. @throws AssistantError; the reason of `signal` when it is aborted */
export type ProductAssistant = {
  draft(request: AssistantRequest, signal?: AbortSignal): Promise<AssistantReply>
}
