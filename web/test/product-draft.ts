import type { ProductDraft } from '@bancone/contract/assistant'

/** A proposal of the assistant in which everything can be used. */
export const draft: ProductDraft = {
  description: 'Compresse per il dolore e la febbre.',
  price: { text: '€ 9,90', cents: 990, problem: null },
  minsan: { text: 'A012745093', code: '012745093', problem: null },
}
