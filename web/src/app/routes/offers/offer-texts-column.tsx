import { MAX_DESCRIPTION_LENGTH } from '@bancone/contract/assistant'
import type { Day } from '@bancone/contract/dates'
import type { Response } from '@bancone/contract/endpoint'
import { MAX_PRODUCT_NAME_LENGTH } from '@bancone/contract/offers'
import type { listProductCategories } from '@bancone/contract/product-categories'
import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { AssistantPanel } from '../../../features/assistant/assistant-panel.tsx'
import type { ProductTexts } from '../../../features/assistant/product-texts.ts'
import { proposedFields } from '../../../features/assistant/proposals.ts'
import type { OfferFormSlot } from '../../../features/offers/offer-form-slot.ts'
import { RetryAlert } from '../../../ui/retry-alert.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { TextArea } from '../../../ui/text-area.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import type { OfferDraft } from './offer-draft.ts'
import { dayIn } from './offer-fields.ts'
import { typedPriceError } from './offer-schema.ts'
import type { OpenedForm } from './opened-form.ts'
import { PriceNote } from './price-note.tsx'
import { useOfferField } from './use-offer-field.ts'
import type { PriceCheckState } from './use-price-check.ts'

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

type CategoryQuery = UseQueryResult<Response<typeof listProductCategories>>

/** Chooses a category; a category that no longer exists stays visible until another is chosen. */
function CategoryField({ query }: { query: CategoryQuery }) {
  const { data, error, isFetching, refetch } = query
  const field = useOfferField('category')
  const gone = field.value !== '' && !data?.categories.some(({ name }) => name === field.value)
  return (
    <div className="flex flex-col gap-2">
      <SelectField label="Categoria" required {...field}>
        <option value="">Scegli una categoria</option>
        {gone ? <option value={field.value}>{field.value}</option> : null}
        {data?.categories.map(({ id, name }) => (
          <option key={id} value={name}>
            {name}
          </option>
        ))}
      </SelectField>
      {!data && error ? (
        <RetryAlert busy={isFetching} onRetry={() => void refetch()}>
          Non è stato possibile leggere le categorie.
        </RetryAlert>
      ) : null}
    </div>
  )
}

/** First and last day on which the offer is published, both included. */
function PeriodFields({ today }: { today: Day }) {
  const starts = useOfferField('starts')
  // While a date is typed incompletely, the input's value is empty: it is not replaced until it is complete or left.
  const [typing, setTyping] = useState(false)
  const start = dayIn(starts.value) ?? today
  return (
    <div className="grid grid-cols-2 items-start gap-3">
      <TextField
        label="Data di inizio"
        type="date"
        {...starts}
        value={typing ? starts.value : starts.value || today}
        onChange={(event) => {
          setTyping(true)
          starts.onChange(event)
        }}
        onBlur={() => {
          setTyping(false)
          starts.onBlur()
        }}
      />
      <TextField
        label="Data di fine"
        type="date"
        min={start > today ? start : today}
        hint="Facoltativa"
        {...useOfferField('ends')}
      />
    </div>
  )
}

type StatusFieldProps = {
  /** Number of offers that count towards the limit, and the limit. Includes this offer if it counts already. */
  limit: { active: number; most: number | null }
  counted: boolean
}

/** Whether the offer is published. */
function StatusField({ limit, counted }: StatusFieldProps) {
  const { value: active, onChange } = useOfferField('active')
  const full = !counted && limit.most !== null && limit.active >= limit.most
  return (
    <Switch
      label="Offerta attiva"
      hint={
        full && active ? (
          <span className="text-pending">
            Hai già {limit.active} offerte attive su {limit.most}: disattivane una, o salva questa
            come inattiva.
          </span>
        ) : active ? (
          'I clienti la vedono nella tua pagina, nel periodo che hai scelto.'
        ) : (
          'Resta qui tra le tue: i clienti non la vedono.'
        )
      }
      checked={active}
      onChange={onChange}
    />
  )
}

type PriceFieldProps = {
  name: 'listPrice' | 'offerPrice'
  label: string
  placeholder: string
  draft: OfferDraft
}

/** Its error is shown once the field is left, also before the form is submitted. */
function PriceField({ name, label, placeholder, draft }: PriceFieldProps) {
  const { error, onChange, onBlur, ...field } = useOfferField(name)
  const [left, setLeft] = useState(false)
  return (
    <TextField
      label={label}
      placeholder={placeholder}
      inputMode="decimal"
      autoComplete="off"
      required
      error={error ?? (left ? typedPriceError(name, draft) : undefined)}
      {...field}
      onChange={(event) => {
        setLeft(false)
        onChange(event)
      }}
      onBlur={() => {
        setLeft(true)
        onBlur()
      }}
    />
  )
}

function PriceFields({ draft }: { draft: OfferDraft }) {
  return (
    <div className="grid grid-cols-2 items-start gap-3">
      <PriceField name="listPrice" label="Prezzo di listino (€)" placeholder="9,90" draft={draft} />
      <PriceField
        name="offerPrice"
        label="Prezzo in offerta (€)"
        placeholder="7,90"
        draft={draft}
      />
    </div>
  )
}
