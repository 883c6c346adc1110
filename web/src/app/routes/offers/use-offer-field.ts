import { useController } from 'react-hook-form'
import type { OfferDraft } from './offer-draft.ts'

/** Fields whose errors depend on another field. */
const dependents: Partial<Record<keyof OfferDraft, (keyof OfferDraft)[]>> = {
  category: ['code'],
  listPrice: ['offerPrice', 'priorPrice'],
  starts: ['ends'],
  active: ['code'],
}

/** A field of the form: the props of its editor, and its error. */
export function useOfferField<Name extends keyof OfferDraft>(name: Name) {
  const deps = dependents[name]
  const { field, fieldState } = useController<OfferDraft, Name>({
    name,
    ...(deps && { rules: { deps } }),
  })
  return { ...field, error: fieldState.error?.message }
}
