import type { ProductDraft } from '@bancone/contract/assistant'
import { AppError } from '../../app-error.ts'
import { createAtOnce } from '../../platform/at-once.ts'
import type { Limit, RateLimits } from '../../platform/rate-limits.ts'
import {
  AssistantError,
  type AssistantErrorKind,
  type AssistantRequest,
  type ProductAssistant,
} from '../../ports/product-assistant.ts'
import { tooManyAs } from '../../too-many.ts'
import { checkedDraft } from './assistant.rules.ts'

export const assistantLimits = {
  // Of a pharmacy: each costs its owner what a model costs.
  'product-drafts': { points: 20, seconds: 600 },
} as const satisfies Record<string, Limit>

export type AssistantLimitName = keyof typeof assistantLimits

/** Drafts of a pharmacy at once. */
const AT_ONCE = 2

type Dependencies = {
  /** Undefined: none is configured. */
  assistant: ProductAssistant | undefined
  /** By which the workflow knows the pharmacy; undefined when it is gone. */
  pharmacyCode(pharmacyId: string): Promise<string | undefined>
  limits: RateLimits<AssistantLimitName>
}

export type AssistantService = ReturnType<typeof createAssistant>

/** Drafts the texts of products. What leaves is the name, the category and the pharmacy's code. */
export function createAssistant({ assistant, pharmacyCode, limits }: Dependencies) {
  const atOnce = createAtOnce('product drafts at once', AT_ONCE)

  async function ask(
    configured: ProductAssistant,
    request: AssistantRequest,
    signal: AbortSignal,
  ): Promise<ProductDraft> {
    try {
      return checkedDraft(await configured.draft(request, signal))
    } catch (error) {
      // Nobody is there to be told, and nothing is wrong.
      if (signal.aborted) throw new AppError('request.invalid', { cause: error })
      throw error instanceof AssistantError ? failure(error) : error
    }
  }

  return {
    /** @param signal nobody waits for it any more */
    async draft(
      pharmacyId: string,
      { productName, category }: { productName: string; category: string },
      signal: AbortSignal,
    ): Promise<ProductDraft> {
      if (!assistant) throw new AppError('assistant.not_configured')
      return atOnce(pharmacyId, async () => {
        await limits.take({ limit: 'product-drafts', of: pharmacyId })
        const code = await pharmacyCode(pharmacyId)
        if (code === undefined) throw new AppError('pharmacy.not_found')
        return ask(assistant, { productName, pharmacyId: code, category }, signal)
      }).catch(tooManyAs('assistant.too_many'))
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
