import { MAX_DESCRIPTION_LENGTH } from '@bancone/contract/assistant'
import { MAX_PRODUCT_NAME_LENGTH } from '@bancone/contract/offers'
import type { RefObject } from 'react'
import { AssistantPanel } from '../../../features/assistant/assistant-panel.tsx'
import type { ProductTexts } from '../../../features/assistant/product-texts.ts'
import { proposedFields } from '../../../features/assistant/proposals.ts'
import { CategoryField } from '../../../features/offers/form/category-field.tsx'
import type { OfferDraft } from '../../../features/offers/form/offer-draft.ts'
import type { OfferFormState } from '../../../features/offers/form/offer-form-state.ts'
import type { FieldErrors } from '../../../features/offers/form/offer-problems.ts'
import { PeriodFields } from '../../../features/offers/form/period-fields.tsx'
import { PriceFields } from '../../../features/offers/form/price-fields.tsx'
import { PriceNote } from '../../../features/offers/form/price-note.tsx'
import { StatusField } from '../../../features/offers/form/status-field.tsx'
import type { useCategories } from '../../../features/offers/form/use-categories.ts'
import type { PriceCheck } from '../../../features/offers/form/use-price-check.ts'
import type { OfferFormSlot } from '../../../features/offers/offer-form-slot.ts'
import { TextArea } from '../../../ui/text-area.tsx'
import { TextField } from '../../../ui/text-field.tsx'

/** The law forbids to advertise what a medicine is good for. */
const forMedicines = proposedFields.filter((field) => field !== 'description')

type OfferTextsColumnProps = {
  slot: OfferFormSlot
  work: OfferFormState
  categories: ReturnType<typeof useCategories>
  medicine: boolean
  check: PriceCheck
  errors: FieldErrors
  nameField: RefObject<HTMLInputElement | null>
  onChange: (change: Partial<OfferDraft>) => void
  /** Called when a code proposed by the assistant was accepted or undone. */
  onCode: (code: string) => void
  /** Called when the assistant found no code, and therefore no picture. */
  onCodeless: () => void
}

/** Name, description, prices and dates: typed, or proposed by the assistant. */
export function OfferTextsColumn(props: OfferTextsColumnProps) {
  const { slot, work, categories, medicine, check, errors, nameField, onChange } = props
  const { draft } = work
  const { name, category, description, listPrice, code } = draft

  /** The assistant's price is the regular price. */
  function takeTexts({ price, ...others }: Partial<ProductTexts>) {
    onChange(price === undefined ? others : { ...others, listPrice: price })
  }

  return (
    <div className="flex min-w-0 flex-col gap-4">
      <TextField
        ref={nameField}
        label="Nome del prodotto"
        name="name"
        autoComplete="off"
        required
        maxLength={MAX_PRODUCT_NAME_LENGTH}
        value={name}
        error={errors.name}
        onChange={({ target }) => onChange({ name: target.value })}
      />
      <CategoryField
        value={category}
        categories={categories.categories}
        failed={categories.failed}
        isFetching={categories.isFetching}
        onAgain={categories.again}
        error={errors.category}
        onChange={(chosen) => onChange({ category: chosen })}
      />
      <AssistantPanel
        texts={{ name, category, description, price: listPrice, code }}
        fields={medicine ? forMedicines : proposedFields}
        onChange={takeTexts}
        onNameMissing={() => nameField.current?.focus()}
        onCode={props.onCode}
        onCodeless={props.onCodeless}
      />
      <PriceFields draft={draft} onChange={onChange} errors={errors} />
      <PriceNote draft={draft} check={check} onChange={onChange} error={errors.priorPrice} />
      <TextArea
        label="Descrizione"
        name="description"
        autoComplete="off"
        maxCharacters={MAX_DESCRIPTION_LENGTH}
        value={description}
        error={errors.description}
        hint={medicine ? 'Resta per te: dei medicinali non si mostra al pubblico.' : 'Facoltativa'}
        onChange={({ target }) => onChange({ description: target.value })}
      />
      <PeriodFields draft={draft} today={slot.today} onChange={onChange} error={errors.ends} />
      <StatusField
        active={draft.active}
        limit={slot.limit}
        counted={work.initial.active && work.task.kind === 'edit'}
        onChange={(active) => onChange({ active })}
      />
    </div>
  )
}
