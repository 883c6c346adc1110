import { useState } from 'react'
import type { ProductTexts } from './product-texts.ts'
import { type FieldValues, proposedFields } from './proposals.ts'

/** Proposals that were applied to the fields, and how to undo them. */
export function useAppliedProposals(
  texts: ProductTexts,
  onChange: (change: Partial<ProductTexts>) => void,
) {
  const [before, setBefore] = useState<FieldValues>({})
  const [applied, setApplied] = useState<FieldValues>({})
  // Fields that were edited since are not restored.
  const restorable = proposedFields.filter(
    (field) => before[field] !== undefined && texts[field] === applied[field],
  )

  return {
    canUndo: restorable.length > 0,
    apply(values: FieldValues) {
      const stood = { ...before }
      for (const field of proposedFields) {
        const value = values[field]
        const replaced = value !== undefined && texts[field] !== value
        // Applied twice: undo restores what was typed, and not the first proposal.
        if (replaced && texts[field] !== applied[field]) stood[field] = texts[field]
      }
      setBefore(stood)
      setApplied({ ...applied, ...values })
      onChange(values)
    },
    /** @returns the restored values */
    undo(): FieldValues {
      const change: FieldValues = {}
      for (const field of restorable) change[field] = before[field] ?? ''
      onChange(change)
      setBefore({})
      setApplied({})
      return change
    },
  }
}
