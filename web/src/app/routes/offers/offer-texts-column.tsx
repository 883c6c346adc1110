import { MAX_DESCRIPTION_LENGTH } from '@bancone/contract/assistant'
import { MAX_PRODUCT_NAME_LENGTH } from '@bancone/contract/offers'
import { AssistantPanel } from '../../../features/assistant/assistant-panel.tsx'
import type { ProductTexts } from '../../../features/assistant/product-texts.ts'
import { proposedFields } from '../../../features/assistant/proposals.ts'
import { CategoryField, type CategoryQuery } from '../../../features/offers/form/category-field.tsx'
import type { OfferDraft } from '../../../features/offers/form/offer-draft.ts'
import type { OpenedForm } from '../../../features/offers/form/opened-form.ts'
import { PeriodFields } from '../../../features/offers/form/period-fields.tsx'
import { PriceFields } from '../../../features/offers/form/price-fields.tsx'
import { PriceNote } from '../../../features/offers/form/price-note.tsx'
import { StatusField } from '../../../features/offers/form/status-field.tsx'
import { useOfferField } from '../../../features/offers/form/use-offer-field.ts'
import type { PriceCheckState } from '../../../features/offers/form/use-price-check.ts'
import type { OfferFormSlot } from '../../../features/offers/offer-form-slot.ts'
import { TextArea } from '../../../ui/text-area.tsx'
import { TextField } from '../../../ui/text-field.tsx'

/** The law forbids to advertise what a medicine is good for. */
const forMedicines = proposedFields.filter((field) => field !== 'description')

type OfferTextsColumnProps = {
  slot: OfferFormSlot
  task: OpenedForm['task']
  draft: OfferDraft
  categories: CategoryQuery
  medicine: boolean
  check: PriceCheckState
  onChange: (change: Partial<OfferDraft>) => void
  onNameMissing: () => void
  /** Called when a code proposed by the assistant was accepted or undone. */
  onCode: (code: string) => void
  /** Called when the assistant found no code, and therefore no picture. */
  onCodeless: () => void
}

/** Name, description, prices and dates: typed, or proposed by the assistant. */
export function OfferTextsColumn(props: OfferTextsColumnProps) {
  const { slot, task, draft, categories, medicine, check, onChange, ...assistant } = props
  const { name, category, description, listPrice, code } = draft

  /** The assistant's price is the regular price. */
  function takeTexts({ price, ...others }: Partial<ProductTexts>) {
    onChange(price === undefined ? others : { ...others, listPrice: price })
  }

  return (
    <div className="flex min-w-0 flex-col gap-4">
      <TextField
        label="Nome del prodotto"
        autoComplete="off"
        required
        maxLength={MAX_PRODUCT_NAME_LENGTH}
        {...useOfferField('name')}
      />
      <CategoryField query={categories} />
      <AssistantPanel
        texts={{ name, category, description, price: listPrice, code }}
        fields={medicine ? forMedicines : proposedFields}
        onChange={takeTexts}
        {...assistant}
      />
      <PriceFields draft={draft} />
      <PriceNote draft={draft} check={check} />
      <TextArea
        label="Descrizione"
        autoComplete="off"
        maxCharacters={MAX_DESCRIPTION_LENGTH}
        hint={medicine ? 'Resta per te: dei medicinali non si mostra al pubblico.' : 'Facoltativa'}
        {...useOfferField('description')}
      />
      <PeriodFields today={slot.today} />
      <StatusField
        limit={slot.limit}
        counted={task.kind === 'edit' && task.offer.fields.Stato_Offerta === 'Attiva'}
      />
    </div>
  )
}
