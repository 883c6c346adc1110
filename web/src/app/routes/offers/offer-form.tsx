import { isMedicine } from '@bancone/contract/product-categories'
import { type KeyboardEvent, type RefObject, useEffect, useId, useRef, useState } from 'react'
import { placeholderImage } from '../../../features/images/chosen-image.ts'
import { useImageByCode } from '../../../features/images/use-image-by-code.ts'
import { ConflictDialog } from '../../../features/offers/form/conflict-dialog.tsx'
import type { OfferDraft } from '../../../features/offers/form/offer-draft.ts'
import { changedId } from '../../../features/offers/form/offer-form-state.ts'
import { useCategories } from '../../../features/offers/form/use-categories.ts'
import type { OfferFormControl } from '../../../features/offers/form/use-offer-form-state.ts'
import { useOfferSaving } from '../../../features/offers/form/use-offer-saving.ts'
import { usePriceCheck } from '../../../features/offers/form/use-price-check.ts'
import type { OfferFormSlot } from '../../../features/offers/offer-form-slot.ts'
import { OfferFooter } from './offer-footer.tsx'
import { OfferNotices } from './offer-notices.tsx'
import { OfferPictureColumn } from './offer-picture-column.tsx'
import { OfferPreview } from './offer-preview.tsx'
import { OfferTextsColumn } from './offer-texts-column.tsx'

type OfferFormProps = {
  slot: OfferFormSlot
  form: OfferFormControl
  heading: RefObject<HTMLHeadingElement | null>
  takesFocus: boolean
  onCancel: () => void
}

/** The form of one offer. */
export function OfferForm({ slot, form, heading, takesFocus, onCancel }: OfferFormProps) {
  const id = useId()
  const root = useRef<HTMLElement>(null)
  const nameField = useRef<HTMLInputElement>(null)
  const saveButton = useRef<HTMLButtonElement>(null)
  const [sending, setSending] = useState(false)
  const { formState } = form
  const { draft } = formState
  const categories = useCategories()
  const category = categories.categories?.find(({ name }) => name === draft.category)
  const medicine = category !== undefined && isMedicine(category.regulatoryClass)
  const check = usePriceCheck(draft, changedId(formState), slot.today)
  const standIn = () => form.fillPicture(placeholderImage)
  const coded = useImageByCode(draft.code, draft.picture, (picture) => change({ picture }), standIn)
  const saving = useOfferSaving({
    slot,
    form,
    root,
    categories: categories.categories,
    medicine,
    awaitsPicture: sending || (coded.search.state === 'finding' && draft.picture === null),
  })
  useEffect(() => {
    if (takesFocus) nameField.current?.focus()
  }, [takesFocus])

  function change(part: Partial<OfferDraft>) {
    if (part.code !== undefined) coded.onCodeChange(part.code)
    saving.mended(part)
    form.change(part)
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    void saving.save()
  }

  return (
    // The keys belong to the fields inside.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      ref={root}
      aria-labelledby={id}
      className="@container flex flex-col gap-4 rounded-card border border-line bg-surface p-4 pb-0 md:p-5 md:pb-0"
      onKeyDown={onKeyDown}
    >
      <h2
        ref={heading}
        id={id}
        tabIndex={-1}
        className="text-lg leading-tight font-medium outline-none"
      >
        {changedId(formState) === null ? 'Nuova offerta' : 'Modifica offerta'}
      </h2>
      <OfferNotices slot={slot} form={form} medicine={medicine} />
      <div className="grid items-start gap-x-6 gap-y-4 @2xl:grid-cols-2 @5xl:grid-cols-[minmax(0,1fr)_21rem_17rem]">
        <OfferTextsColumn
          slot={slot}
          work={formState}
          categories={categories}
          medicine={medicine}
          check={check}
          errors={saving.errors}
          nameField={nameField}
          onChange={change}
          onCode={coded.findByCode}
          onCodeless={standIn}
        />
        <div className="flex min-w-0 flex-col gap-4 @5xl:contents">
          <OfferPictureColumn
            draft={draft}
            coded={coded}
            errors={saving.errors}
            onChange={change}
            onSending={setSending}
          />
          <OfferPreview draft={draft} prior={check.prior} medicine={medicine} today={slot.today} />
        </div>
      </div>
      <OfferFooter
        slot={slot}
        form={form}
        saving={saving}
        saveButton={saveButton}
        onCancel={onCancel}
      />
      {saving.conflict ? (
        <ConflictDialog
          name={draft.name}
          busy={saving.busy}
          onClose={saving.closeConflict}
          onReload={() => void saving.reload()}
          onInsist={() => void saving.insist()}
          onReturnFocus={() => saveButton.current?.focus()}
        />
      ) : null}
    </section>
  )
}
