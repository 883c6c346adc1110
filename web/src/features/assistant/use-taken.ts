import { useState } from 'react'
import type { ProductTexts } from './product-texts.ts'
import { type FieldValues, proposedFields } from './proposals.ts'

/** What was taken over from the assistant, and the way back to what stood there before. */
export function useTaken(texts: ProductTexts, onChange: (change: Partial<ProductTexts>) => void) {
  const [before, setBefore] = useState<FieldValues>({})
  const [put, setPut] = useState<FieldValues>({})
  // What somebody has changed since is theirs.
  const restorable = proposedFields.filter(
    (field) => before[field] !== undefined && texts[field] === put[field],
  )

  return {
    canUndo: restorable.length > 0,
    take(values: FieldValues) {
      const stood = { ...before }
      for (const field of proposedFields) {
        const value = values[field]
        const replaced = value !== undefined && texts[field] !== value
        // Taken twice: the way back leads to what was typed, and not to the first proposal.
        if (replaced && texts[field] !== put[field]) stood[field] = texts[field]
      }
      setBefore(stood)
      setPut({ ...put, ...values })
      onChange(values)
    },
    /** @returns what stands in the fields again */
    undo(): FieldValues {
      const change: FieldValues = {}
      for (const field of restorable) change[field] = before[field] ?? ''
      onChange(change)
      setBefore({})
      setPut({})
      return change
    },
  }
}
