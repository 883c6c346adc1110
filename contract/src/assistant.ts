import { z } from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** The category of a product when the request names none. */
export const DEFAULT_CATEGORY = 'Generale'

/** The longest description accepted from the assistant, in characters. */
export const MAX_DESCRIPTION_LENGTH = 2_000

/**
 * The assistant's suggestions for a product, validated. `text` is the suggestion as received; a suggestion that
 * cannot be used has no parsed value but a `problem`. Null: the assistant made no suggestion for that field.
 */
export const ProductDraft = z.object({
  description: z.nullable(z.string()),
  price: z.nullable(
    z.object({
      text: z.string(),
      cents: z.nullable(z.int().check(z.positive())),
      problem: z.nullable(z.enum(['not_a_price', 'not_positive'])),
    }),
  ),
  minsan: z.nullable(
    z.object({
      text: z.string(),
      code: z.nullable(z.string()),
      /** An `unverified` code can be used, but its check digit cannot be verified. */
      problem: z.nullable(z.enum(['not_a_code', 'check_digit', 'unverified'])),
    }),
  ),
})
export type ProductDraft = z.infer<typeof ProductDraft>

/** Sends only the product name, the category and the pharmacy's code to the configured workflow. */
export const draftProduct = endpoint({
  method: 'POST',
  path: '/api/assistant/product-drafts',
  summary: 'Draft the texts of a product from its name',
  access: 'pharmacy',
  feature: 'offers',
  audit: { none: 'reads' },
  body: z.strictObject({
    productName: z.string().check(z.trim(), z.minLength(1), z.maxLength(200)),
    category: z._default(
      z.string().check(z.trim(), z.minLength(1), z.maxLength(100)),
      DEFAULT_CATEGORY,
    ),
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
