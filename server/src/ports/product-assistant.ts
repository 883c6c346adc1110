/** All that leaves for the assistant. */
export type AssistantRequest = { productName: string; pharmacyId: string; category: string }

/** What came back, as it came: nothing of it is checked. Null where it says nothing. */
export type AssistantReply = {
  description: string | null
  price: string | null
  minsan: string | null
}

/**
 * - `status`: it answered with an error, whose HTTP status is `status`
 * - `timeout`: no answer in time
 * - `unreachable`: no connection, or one that broke off
 * - `unreadable`: an answer that is none, or too large
 */
export type AssistantErrorKind = 'status' | 'timeout' | 'unreachable' | 'unreadable'

export class AssistantError extends Error {
  override readonly name = 'AssistantError'
  readonly kind: AssistantErrorKind
  readonly status: number | undefined

  constructor(
    kind: AssistantErrorKind,
    message: string,
    options?: ErrorOptions & { status?: number },
  ) {
    super(message, options)
    this.kind = kind
    this.status = options?.status
  }
}

/** Drafts texts for a product from its name. @throws AssistantError; the reason of `signal` when it is given up */
export type ProductAssistant = {
  draft(request: AssistantRequest, signal?: AbortSignal): Promise<AssistantReply>
}
