import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/** What a product's category is when nobody has said. */
export const DEFAULT_CATEGORY = 'Generale'

/** The longest description that is taken from the assistant. */
export const MOST_DESCRIPTION = 2_000

/**
 * What the assistant said of a product, checked. `text` is what it said; what cannot be used has no value
 * beside it, and says why. Null: it said nothing of that.
 */
export const ProductDraft = z.object({
  description: z.string().nullable(),
  price: z
    .object({
      text: z.string(),
      cents: z.number().int().positive().nullable(),
      problem: z.enum(['not_a_price', 'not_positive']).nullable(),
    })
    .nullable(),
  minsan: z
    .object({
      text: z.string(),
      code: z.string().nullable(),
      /** `unverified` can be used all the same: nothing is known of its check digit. */
      problem: z.enum(['not_a_code', 'check_digit', 'unverified']).nullable(),
    })
    .nullable(),
})
export type ProductDraft = z.infer<typeof ProductDraft>

/** The name, the category and the pharmacy's code leave for the workflow that is configured, and nothing else. */
export const draftProduct = endpoint({
  method: 'POST',
  path: '/api/assistant/product-drafts',
  summary: 'Drafts the texts of a product from its name',
  access: 'pharmacy',
  feature: 'offers',
  body: z.strictObject({
    productName: z.string().trim().min(1).max(200),
    category: z.string().trim().min(1).max(100).default(DEFAULT_CATEGORY),
  }),
  response: ProductDraft,
  errors: [
    'assistant.not_configured',
    'assistant.failed',
    'assistant.timeout',
    'assistant.unreachable',
    'assistant.unreadable',
    'assistant.too_many',
  ],
})
