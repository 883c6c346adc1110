import type { ProductDraft } from '@bancone/contract/assistant'
import { priceText } from '../../lib/shown-prices.ts'

export type ProposedField = 'description' | 'price' | 'code'

/** The assistant's proposal for a field. */
export type Proposal = {
  suggested: string
  /** Value for the field; null when the proposal is unusable. */
  value: string | null
  /** Why it is unusable, or what to check before using it. */
  problem: string | null
}

export type Proposals = Partial<Record<ProposedField, Proposal>>

const priceProblems = {
  not_a_price: 'non è un prezzo',
  not_positive: 'un prezzo deve essere maggiore di zero',
} as const

const codeProblems = {
  not_a_code: 'non è un codice prodotto',
  check_digit: 'la cifra di controllo non torna',
  unverified: 'la cifra di controllo non si può verificare: confronta il codice con la confezione',
} as const

/** The assistant's proposals by field, only for fields it has proposed a value for. */
export function proposalsOf({ description, price, minsan }: ProductDraft): Proposals {
  return {
    ...(description && {
      description: { suggested: description, value: description, problem: null },
    }),
    ...(price && {
      price: {
        suggested: price.text,
        value: price.cents === null ? null : priceText(price.cents),
        problem: price.problem && priceProblems[price.problem],
      },
    }),
    ...(minsan && {
      code: {
        suggested: minsan.text,
        value: minsan.code,
        problem: minsan.problem && codeProblems[minsan.problem],
      },
    }),
  }
}

export const proposedFields = ['description', 'price', 'code'] as const satisfies ProposedField[]

export type FieldValues = Partial<Record<ProposedField, string>>

/** Proposals without any problem. */
export function validValues(
  proposals: Proposals,
  fields: readonly ProposedField[] = proposedFields,
): FieldValues {
  const sound: FieldValues = {}
  for (const field of fields) {
    const proposal = proposals[field]
    if (proposal?.value && proposal.problem === null) sound[field] = proposal.value
  }
  return sound
}
