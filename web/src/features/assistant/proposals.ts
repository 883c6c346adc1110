import type { ProductDraft } from '@bancone/contract/assistant'
import { priceText } from './price-text.ts'

export type ProposedField = 'description' | 'price' | 'code'

/** What the assistant said of a field. */
export type Proposal = {
  said: string
  /** What goes into the field; null when it cannot be used. */
  value: string | null
  /** Why it cannot be used, or what to look at before it is. */
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

/** What the assistant said, field by field; a field it said nothing of is not there. */
export function proposalsOf({ description, price, minsan }: ProductDraft): Proposals {
  return {
    ...(description && { description: { said: description, value: description, problem: null } }),
    ...(price && {
      price: {
        said: price.text,
        value: price.cents === null ? null : priceText(price.cents),
        problem: price.problem && priceProblems[price.problem],
      },
    }),
    ...(minsan && {
      code: {
        said: minsan.text,
        value: minsan.code,
        problem: minsan.problem && codeProblems[minsan.problem],
      },
    }),
  }
}

export const proposedFields = ['description', 'price', 'code'] as const satisfies ProposedField[]

export type FieldValues = Partial<Record<ProposedField, string>>

/** What can be used without looking twice. */
export function soundValues(
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
