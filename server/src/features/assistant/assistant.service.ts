import type { ProductDraft } from '@bancone/contract/assistant'
import { AppError } from '../../base/app-error.ts'
import { createBoundedQueue } from '../../platform/bounded-queue.ts'
import { type Limit, type RateLimits, rethrowRateLimitAs } from '../../platform/rate-limits.ts'
import {
  AssistantError,
  type AssistantErrorKind,
  type AssistantRequest,
  type ProductAssistant,
} from '../../ports/product-assistant.ts'
import { checkedDraft } from './assistant.rules.ts'

export const assistantLimits = {
  // Per pharmacy: each call to the model is paid for.
  'product-drafts': { points: 20, seconds: 600 },
} as const satisfies Record<string, Limit>

/** Concurrent drafts of a pharmacy. */
const AT_ONCE = 2

type Dependencies = {
  /** Undefined when none is configured. */
  assistant: ProductAssistant | undefined
  /** The readable code, by which the workflow knows the pharmacy; undefined when the pharmacy does not exist. */
  pharmacyCode(pharmacyId: string): Promise<string | undefined>
  limits: RateLimits<keyof typeof assistantLimits>
}

/** Drafts product texts. Only the name, the category and the pharmacy's code are sent out. */
export function createAssistant({ assistant, pharmacyCode, limits }: Dependencies) {
  const atOnce = createBoundedQueue({ concurrency: AT_ONCE, maxWaiting: 0 })

  async function ask(configured: ProductAssistant, request: AssistantRequest, signal: AbortSignal) {
    try {
      return checkedDraft(await configured.draft(request, signal))
    } catch (error) {
      // The client has disconnected; this is no error.
      if (signal.aborted) throw new AppError('request.invalid', { cause: error })
      throw error instanceof AssistantError ? failure(error) : error
    }
  }

  return {
    /** @param signal aborted when the client disconnects */
    async draft(
      pharmacyId: string,
      { productName, category }: { productName: string; category: string },
      signal: AbortSignal,
    ): Promise<ProductDraft> {
      if (!assistant) throw new AppError('assistant.not_configured')
      const limited = async () => {
        await limits.take({ limit: 'product-drafts', subject: pharmacyId })
        const code = await pharmacyCode(pharmacyId)
        if (code === undefined) throw new AppError('pharmacy.not_found')
        return ask(assistant, { productName, pharmacyId: code, category }, signal)
      }
      return atOnce(limited, { key: pharmacyId }).catch(rethrowRateLimitAs('assistant.too_many'))
    },
  }
}

const codes = {
  status: 'assistant.failed',
  timeout: 'assistant.timeout',
  unreachable: 'assistant.unreachable',
  unreadable: 'assistant.unreadable',
} as const satisfies Record<AssistantErrorKind, string>

function failure(error: AssistantError): AppError {
  const { kind, status } = error
  const text = kind === 'status' ? { text: `Errore API: ${status}` } : {}
  return new AppError(codes[kind], { cause: error, ...text })
}
